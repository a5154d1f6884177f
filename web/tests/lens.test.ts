import { describe, expect, it } from "vitest";
import { against, fraction, plus, times, toPower, valueOf } from "../src/state/fractions";
import { lensOf, waysToBeat, worthOf } from "../src/state/lens";
import type { WirePlacement } from "../src/wire/types";
import { card, claimView, seat } from "./positions";

function lensFor(placements: WirePlacement[], view = claimView()) {
  if (!view.form) throw new Error("no form");
  return lensOf(view, view.form, placements);
}

describe("fractions", () => {
  it("stay exact", () => {
    expect(plus([1, 6], [1, 3])).toEqual([1, 2]);
    expect(times([2, 3], [3, 4])).toEqual([1, 2]);
    expect(against([5, 6])).toEqual([1, 6]);
    expect(toPower([2, 3], 3)).toEqual([8, 27]);
    expect(toPower([2, 3], 0)).toEqual([1, 1]);
    expect(fraction(0, 5)).toEqual([0, 1]);
    expect(valueOf([3, 4])).toBe(0.75);
  });
});

describe("the lens", () => {
  it("adds up what the dice risk", () => {
    const lens = lensFor([
      { slot: 0, dice: 2, effort: 3 },
      { slot: 1, dice: 1, effort: 2 },
    ]);
    expect(lens.cards.map((one) => one.risk)).toEqual([
      [1, 3],
      [1, 6],
    ]);
    expect(lens.staged).toBe(3);
    expect(lens.kept).toEqual([13, 6]);
    expect(lens.allSurvive).toEqual([10, 27]);
  });

  it("knows that effort 1 risks nothing", () => {
    const lens = lensFor([{ slot: 1, dice: 3, effort: 1 }]);
    expect(lens.kept).toEqual([3, 1]);
    expect(lens.allSurvive).toEqual([1, 1]);
  });

  it("names the pushed-out player and counts the returned dice as a threat", () => {
    const [idol] = lensFor([{ slot: 0, dice: 2, effort: 3 }]).cards;
    expect(idol?.push).toEqual({ seat: 1, dice: 1, total: 5 });
    expect(idol?.threats).toEqual([
      {
        seat: 1,
        isGhost: false,
        ready: 3,
        needed: 7,
        ways: [
          { dice: 2, effort: 4 },
          { dice: 3, effort: 3 },
        ],
      },
    ]);
  });

  it("counts home what another of the staged cards pushes out", () => {
    const lens = lensFor(
      [
        { slot: 0, dice: 1, effort: 6 },
        { slot: 1, dice: 2, effort: 6 },
      ],
      claimView({}, { rivals: [[1, 2]] }),
    );
    expect(lens.cards[1]?.threats[0]?.ways).toEqual([{ dice: 3, effort: 5 }]);
  });

  it("counts as the Ghost's threat only dice that it can still roll", () => {
    const row = claimView().row.map((place) => (place.slot === 0 ? { ...place, dice: 1, effort: 5 } : place));
    const seats = [seat(0), seat(1, { is_ghost: true, ready: 2 })];
    const view = claimView({ is_solo: true, row, seats }, { rivals: [[1, 0]] });
    expect(lensFor([{ slot: 1, dice: 1, effort: 1 }], view).cards[0]?.threats).toEqual([]);
    const [pushing] = lensFor([{ slot: 0, dice: 2, effort: 3 }], view).cards;
    expect(pushing?.threats).toEqual([]);
    const weakly = lensFor(
      [
        { slot: 0, dice: 2, effort: 3 },
        { slot: 1, dice: 1, effort: 2 },
      ],
      view,
    );
    expect(weakly.cards[1]?.threats).toEqual([
      { seat: 1, isGhost: true, ready: 1, needed: 3, ways: [{ dice: 1, effort: 3 }] },
    ]);
  });

  it("states that no opponent can push out", () => {
    expect(lensFor([{ slot: 1, dice: 2, effort: 6 }]).cards[0]?.threats).toEqual([]);
    const last = lensFor([{ slot: 1, dice: 1, effort: 1 }], claimView({}, { rivals: [] }));
    expect(last.hasRivals).toBe(false);
    expect(last.cards[0]?.threats).toEqual([]);
  });

  it("names only the ways to beat that differ", () => {
    expect(waysToBeat(1, 3)).toEqual([
      { dice: 1, effort: 2 },
      { dice: 2, effort: 1 },
    ]);
    expect(waysToBeat(17, 3)).toEqual([{ dice: 3, effort: 6 }]);
    expect(waysToBeat(18, 3)).toEqual([]);
    expect(waysToBeat(3, 0)).toEqual([]);
  });

  it("values a hidden card by what is unseen", () => {
    expect(worthOf(card("J?", { odds: [1, 2, 0, 1] }))).toEqual({ coins: [9, 4], isCertain: false });
    expect(worthOf(card("J?", { odds: [0, 0, 2, 0] }))).toEqual({ coins: [3, 1], isCertain: true });
    expect(worthOf(card("I4"))).toEqual({ coins: [4, 1], isCertain: true });
    expect(worthOf(card("J?"))).toBeNull();
  });
});
