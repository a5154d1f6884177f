import { describe, expect, it } from "vitest";
import { fortuneOf, luckOf } from "../src/state/luck";
import type { GameEvent } from "../src/state/table.svelte";

const roll = (seat: number, effort: number, rolled: number[]): GameEvent => ({
  type: "roll",
  n: 0,
  seat,
  slot: 0,
  effort,
  rolled,
});

describe("luck", () => {
  it("counts dice that failed beside those that fail on average", () => {
    const events = [roll(0, 4, [3, 5]), roll(1, 6, [1]), roll(0, 1, [])];
    expect(luckOf(events, 0)).toEqual({ rolled: 2, failed: 1, expected: 1 });
    expect(luckOf(events, 1)).toEqual({ rolled: 1, failed: 1, expected: 5 / 6 });
  });

  it("counts a second roll like a first", () => {
    const again: GameEvent = { type: "reroll", n: 1, seat: 0, slot: 0, effort: 3, flip: ["I2"], rolled: 2 };
    expect(luckOf([roll(0, 3, [1]), again], 0)).toEqual({ rolled: 2, failed: 2, expected: 4 / 6 });
  });

  it("does not fail a die that shows its effort", () => {
    expect(luckOf([roll(0, 5, [5])], 0).failed).toBe(0);
  });

  it.each([
    [{ rolled: 0, failed: 0, expected: 0 }, "none"],
    [{ rolled: 6, failed: 0, expected: 3 }, "never"],
    [{ rolled: 1, failed: 0, expected: 0.5 }, "even"],
    [{ rolled: 6, failed: 1, expected: 3 }, "kind"],
    [{ rolled: 6, failed: 3, expected: 2.6 }, "even"],
    [{ rolled: 6, failed: 5, expected: 2.6 }, "unkind"],
  ])("is called by its name: %o", (luck, fortune) => {
    expect(fortuneOf(luck)).toBe(fortune);
  });
});
