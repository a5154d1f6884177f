import { beforeEach, describe, expect, it } from "vitest";
import { hashOf, read } from "../src/state/router.svelte";
import {
  HERE,
  isFull,
  saveChoices,
  loadChoices,
  mixedSides,
  presetOf,
  proposalOf,
  proposed,
  seatsHere,
  settingsOf,
  sidesOfPreset,
  usualChoices,
} from "../src/state/setup";
import type { SeatInfo, TableInfo } from "../src/wire/types";

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

  it("seats those who share the device, and no bot in their place", () => {
    const choices = { ...usualChoices(), players: 3, seats: ["", HERE, "greedy", HERE] };
    expect(seatsHere(choices)).toEqual([0, 1]);
    expect(settingsOf(choices).bots).toEqual([{ seat: 2, level: "greedy" }]);
    expect(isFull(choices)).toBe(true);
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
    saveChoices({ ...usualChoices(), players: 4, isListed: true });
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

describe("a proposal", () => {
  const bot = (level: string): SeatInfo => ({ kind: "bot", level });
  const ada: SeatInfo = { kind: "person", name: "Ada" };
  const playedBy = (...seats: SeatInfo[]): TableInfo => ({
    table: "t",
    status: "over",
    settings: { players: seats.length },
    seats,
    owner: "",
    opened: 0,
    commitment: "",
  });
  const cases: [string, TableInfo, number | null, string[]][] = [
    ["a bot and a person", playedBy(ada, bot("greedy"), ada), 0, ["", "greedy", ""]],
    [
      "others from one's own seat on",
      playedBy(bot("random"), ada, bot("greedy"), ada),
      1,
      ["", "greedy", "", "random"],
    ],
    ["nobody", playedBy(ada), 0, [""]],
    ["those whom one looked on", playedBy(ada, bot("greedy")), null, ["", "greedy"]],
  ];

  it.each(cases)("brings the mix and the same company: %s", (_, info, own, seats) => {
    saveChoices({ ...usualChoices(), players: 4, seats: ["", "random", "random", "random"], clock: "days" });
    const route = read(hashOf({ screen: "new", proposal: proposalOf("ABABBA", info, own) }));
    const choices = proposed(loadChoices(), route.screen === "new" ? (route.proposal ?? null) : null);
    expect(choices.players).toBe(info.seats.length);
    expect(choices.seats.slice(0, choices.players)).toEqual(seats);
    expect(choices.seats).toHaveLength(4);
    expect(choices.sides.join("")).toBe("ABABBA");
    expect(choices.clock).toBe("days");
  });

  it.each(["ABABBA", "ABABBA~", "ABABBA~9~", "ABABBA~3~greedy", "ABABBA~0", "ABABBA~2~greedy~greedy"])(
    "of a mix alone changes nothing else: %s",
    (text) => {
      expect(proposed(usualChoices(), text)).toEqual({ ...usualChoices(), sides: [..."ABABBA"] });
    },
  );

  it.each([null, "", "ABAB", "ABABBC~2~greedy"])("that makes no sense is none: %s", (text) => {
    expect(proposed(usualChoices(), text)).toEqual(usualChoices());
  });
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
