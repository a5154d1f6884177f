import { beforeEach, describe, expect, it } from "vitest";
import {
  isFull,
  keepChoices,
  loadChoices,
  mixedSides,
  presetOf,
  settingsOf,
  sidesOfPreset,
  usualChoices,
} from "../src/state/setup";

beforeEach(() => localStorage.clear());

describe("a new table", () => {
  it("is for two, on the gentle side, private, without a clock", () => {
    expect(settingsOf(usualChoices())).toEqual({
      players: 2,
      collectors: "AAAAAA",
      leader: "random",
      bots: [],
      clock: null,
      is_listed: false,
      spectators: true,
      remembers: true,
    });
  });

  it("keeps bots only in seats that there are", () => {
    const choices = { ...usualChoices(), players: 3, seats: ["", "greedy", "", "random"] };
    expect(settingsOf(choices).bots).toEqual([{ seat: 1, level: "greedy" }]);
    expect(isFull(choices)).toBe(false);
  });

  it("needs neither clock nor lobby when nobody else is expected", () => {
    const choices = {
      ...usualChoices(),
      seats: ["", "greedy", "", ""],
      clock: "live",
      isListed: true,
    } as const;
    const settings = settingsOf({ ...choices, seats: [...choices.seats] });
    expect(settings.clock).toBeNull();
    expect(settings.is_listed).toBe(false);
  });

  it("leaves the lead to chance if the chosen seat is gone", () => {
    expect(settingsOf({ ...usualChoices(), players: 2, leader: 3 }).leader).toBe("random");
    expect(settingsOf({ ...usualChoices(), players: 2, leader: 1 }).leader).toBe(1);
  });

  it("has days or seconds on its clock", () => {
    expect(settingsOf({ ...usualChoices(), clock: "days", days: 3 }).clock).toEqual({
      kind: "days",
      days: 3,
    });
    expect(settingsOf({ ...usualChoices(), clock: "live", pace: "quick" }).clock).toEqual({
      kind: "live",
      move: 30,
      bank: 120,
    });
  });

  it("begins with what was chosen last time", () => {
    keepChoices({ ...usualChoices(), players: 4, isListed: true });
    expect(loadChoices()).toMatchObject({ players: 4, isListed: true });
  });

  it.each(["{", '{"sides": []}', '{"seats": ["x"]}'])(
    "begins anew if %s is all that is left of it",
    (kept) => {
      localStorage.setItem("royalcrypt.table", kept);
      expect(loadChoices()).toEqual(usualChoices());
    },
  );
});

describe("sides of the Collectors", () => {
  it("are told by their preset", () => {
    expect(presetOf(sidesOfPreset("A"))).toBe("A");
    expect(presetOf(sidesOfPreset("B"))).toBe("B");
    expect(presetOf(sidesOfPreset("?"))).toBe("?");
    expect(presetOf(sidesOfPreset("mix"))).toBe("mix");
  });

  it("are never all the same in a mix", () => {
    for (let time = 0; time < 200; time += 1) expect(new Set(mixedSides()).size).toBe(2);
  });
});
