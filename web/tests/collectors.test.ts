import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { TYPES, typeName } from "../src/state/cards";
import { bestOfOthers, clausesOf, progressOf, sideOf, SIDES, requirementOf } from "../src/state/collectors";
import CollectorCard from "../src/table/CollectorCard.svelte";
import CollectorSides from "../src/table/CollectorSides.svelte";
import type { SeatView, View } from "../src/wire/types";

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);

function seat(number: number, tapestries: number[], isGhost = false): SeatView {
  return {
    seat: number,
    is_ghost: isGhost,
    ready: 3,
    exhausted: 0,
    has_peeked: false,
    cards: tapestries.map((value, card) => ({
      number: card,
      type: "T",
      value,
      is_public: true,
      is_flipped: false,
      odds: null,
    })),
    held: [2, 0, 3, 0, 0, tapestries.length],
    unflipped: [1, 0, 2, 0, 0, tapestries.length],
    won_idols: false,
  };
}

describe("progress towards a Collector", () => {
  const mine = seat(0, [4, 1]);

  it("counts all cards where they are only owned, and unflipped ones where they are paid with", () => {
    expect(progressOf(mine, "M", "A")).toBe(3);
    expect(progressOf(mine, "M", "B")).toBe(2);
    expect(progressOf(mine, "I", "A")).toBe(1);
    expect(progressOf(mine, "I", "B")).toBe(2);
  });

  it("counts coins where those are compared", () => {
    expect(progressOf(mine, "T", "A")).toBe(5);
    const view = { seats: [mine, seat(1, [3]), seat(2, [4, 4], true)] } as View;
    expect(bestOfOthers(view, 0, "T")).toBe(3);
    expect(bestOfOthers({ seats: [mine] } as View, 0, "T")).toBeNull();
  });

  it("knows which side lies at the table", () => {
    expect(TYPES.map((letter) => sideOf("ABABAB", letter)).join("")).toBe("ABABAB");
  });
});

describe("every Collector", () => {
  it.each(TYPES.flatMap((letter) => SIDES.map((side) => [letter, side] as const)))(
    "has a pictogram and words that agree: %s%s",
    (letter, side) => {
      const asked = clausesOf(letter, side).map(({ cards }) => cards);
      const { steps, isPaid } = requirementOf(letter, side);
      if (steps.length) expect(new Set(asked)).toEqual(new Set(steps));
      expect(clausesOf(letter, side).some((clause) => clause.isPaid ?? false)).toBe(isPaid ?? false);
      for (const text of ["short", "full", "label"]) {
        expect(words.has(`collector.${typeName(letter)}.${side}.${text}`)).toBe(true);
      }
      const short = words.translate(`collector.${typeName(letter)}.${side}.short`);
      for (const { gift } of clausesOf(letter, side))
        if ("coins" in gift) expect(short).toContain(`+${gift.coins}`);
    },
  );

  it("says everything in the name of its card", () => {
    render(CollectorCard, { letter: "P", side: "A", progress: 3 });
    expect(
      screen.getByRole("button", {
        name: "Pottery Collector, side A: 2, 3, 4: +2, +4, +8. You have 3 of 4.",
      }),
    ).toBeTruthy();
  });

  it("has no progress for those who only watch", () => {
    render(CollectorCard, { letter: "R", side: "B" });
    expect(screen.getByRole("button", { name: "Remains Collector, side B: With 4: +10." })).toBeTruthy();
  });

  it("shows the side in play first, and the other too", () => {
    const { container } = render(CollectorSides, { letter: "T", side: "B" });
    const heads = [...container.querySelectorAll(".side")].map((head) => head.textContent);
    expect(heads).toEqual(["Side B, in this game", "Side A"]);
    expect(screen.getAllByRole("img", { name: /Tapestries/ })).toHaveLength(2);
  });
});
