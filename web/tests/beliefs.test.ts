import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { beliefsOf, expectedCoins } from "../src/state/beliefs";
import Beliefs from "../src/table/Beliefs.svelte";
import type { CardView } from "../src/wire/types";

const hidden: CardView = {
  number: 7,
  type: "P",
  value: null,
  is_public: false,
  is_flipped: false,
  odds: [2, 0, 1, 1],
};

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);

describe("beliefs", () => {
  it("are shares of the cards that could be it", () => {
    expect(beliefsOf(hidden).map(({ chance }) => chance)).toEqual([0.5, 0, 0.25, 0.25]);
    expect(expectedCoins(hidden)).toBe(2.25);
  });

  it("are none about a card that is known", () => {
    const known = { ...hidden, value: 3, odds: null };
    expect(beliefsOf(known)).toEqual([]);
    expect(expectedCoins(known)).toBe(3);
  });

  it("are none at a table that leaves remembering to people", () => {
    const card = { ...hidden, odds: null };
    expect(beliefsOf(card)).toEqual([]);
    expect(expectedCoins(card)).toBeNull();
  });

  it("do not divide by nothing", () => {
    expect(expectedCoins({ ...hidden, odds: [0, 0, 0, 0] })).toBeNull();
  });
});

describe("the panel about a hidden card", () => {
  it("shows and announces all probabilities and the average", () => {
    render(Beliefs, { card: hidden });
    const button = screen.getByRole("button", { name: /Pottery, face-down: about 2.3 coins/ });
    const numberedEvents =
      document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
    expect(numberedEvents).toContain("50% for 1 coin");
    expect(numberedEvents).toContain("0% for 2 coins");
    expect(numberedEvents).toContain("On average 2.3 coins.");
    expect(numberedEvents).toContain("One of 4 you have not seen.");
  });

  it("shows the viewer's secret card", () => {
    const { container } = render(Beliefs, { card: { ...hidden, value: 4, odds: null } });
    expect(container.textContent).toContain("4 coins. Only you know.");
  });

  it("says so at tables without card counting", () => {
    const { container } = render(Beliefs, { card: { ...hidden, odds: null } });
    expect(container.textContent).toContain("leaves remembering to you");
  });
});
