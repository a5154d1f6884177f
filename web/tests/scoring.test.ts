/** Score sheets agree with the server's scores. */
import { describe, expect, it } from "vitest";
import { nextMix, sheetOf, stepsOf, tallyAt } from "../src/state/scoring";
import { lastView, loaded, NAMES } from "./records";

const sum = (numbers: readonly number[]) => numbers.reduce((whole, one) => whole + one, 0);

describe.each(NAMES)("the sheet of %s", (name) => {
  const record = loaded(name);
  const result = record.result;
  if (!result) throw new Error("no result");
  const view = lastView(record);
  const sheet = sheetOf(view, result.winners, result);

  it("adds up to the score", () => {
    sheet.seats.forEach((_, index) => {
      const coins = sum(sheet.rows.map((row) => row.coins[index] ?? 0));
      const bonus = sum(sheet.rows.map((row) => row.bonus?.[index] ?? 0));
      expect(coins).toBe(result.breakdown[index]?.treasure);
      expect(coins + bonus + (sheet.servants[index] ?? 0)).toBe(result.scores[index]);
      expect(sheet.bonuses[index]).toBe(bonus);
    });
  });

  it("says the same to those who have no record, but for single Collectors", () => {
    const theirs = sheetOf(view, result.winners, null);
    expect(theirs.rows.every((row) => row.bonus === null)).toBe(true);
    expect(theirs.bonuses).toEqual(sheet.bonuses);
    expect(theirs.places).toEqual(result.places);
    expect(theirs.totals).toEqual(result.scores);
  });

  it("is told in steps that end with the score", () => {
    const steps = stepsOf(sheet, record.events);
    expect(tallyAt(sheet, steps, 0)).toEqual(sheet.totals.map(() => 0));
    expect(tallyAt(sheet, steps, steps.length - 1)).toEqual(sheet.totals);
    expect(tallyAt(sheet, steps, steps.length)).toEqual(sheet.totals);
    expect(steps.at(-1)).toEqual({ kind: "winner" });
    expect(steps.some(({ kind }) => kind === "tie")).toBe(name === "tie");
  });

  it("leaves out what changes nothing", () => {
    for (const step of stepsOf(sheet, record.events)) {
      if (step.kind === "pay" || step.kind === "servants") expect(sum(step.gains)).toBeGreaterThan(0);
    }
  });
});

describe("the next mix", () => {
  it("turns three Collectors over, the same three each time", () => {
    const mix = nextMix("AABABA", "table");
    expect(mix).toBe(nextMix("AABABA", "table"));
    expect([...mix].filter((side, index) => side !== "AABABA"[index])).toHaveLength(3);
    expect(mix).toMatch(/^[AB]{6}$/);
  });

  it("depends on the game", () => {
    const mixes = new Set(Array.from({ length: 20 }, (_, index) => nextMix("AAAAAA", `game${index}`)));
    expect(mixes.size).toBeGreaterThan(3);
  });
});
