import { beforeAll, describe, expect, it } from "vitest";
import { meanOf, shareOf, ticksOf } from "../src/features/history/charts";
import { pastName } from "../src/features/history/wording";
import { words } from "../src/i18n/index.svelte";

beforeAll(() => words.setLanguage("en"));

describe("who played", () => {
  it.each([
    ["human", "Bo", "Bo"],
    ["human", "", "Somebody"],
    ["program:Deep Crypt", "Deep Crypt", "Deep Crypt"],
    ["program", "", "Somebody"],
  ])("%s %j is called %s", (kind, name, called) => {
    const seat = { name, kind, score: 1, place: 1, is_winner: true, is_mine: false };
    expect(pastName(seat, 1)).toBe(called);
  });
});

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
