import { describe, expect, it } from "vitest";
import { meanOf, shareOf, ticksOf } from "../src/features/history/charts";

describe("charts", () => {
  it.each([
    [[41, 38, 52]],
    [[1000]],
    [[0, 0, 0]],
    [[-3, 7]],
    [[974, 1069, 1022]],
    [Array.from({ length: 200 }, (_, index) => index)],
  ])("have few round ticks around all values: %j", (values) => {
    const ticks = ticksOf(values);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values));
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values));
    expect(ticks.every(Number.isInteger)).toBe(true);
  });

  it("draw the mean of the last values", () => {
    expect(meanOf([10, 20, 60], 2)).toEqual([10, 15, 40]);
    expect(meanOf([10, 20, 60], 1)).toEqual([10, 20, 60]);
    expect(meanOf([], 5)).toEqual([]);
  });

  it("know no share of nothing", () => {
    expect(shareOf(1, 4)).toBe(0.25);
    expect(shareOf(0, 0)).toBe(0);
  });
});
