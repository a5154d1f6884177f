import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import Die from "../src/kit/Die.svelte";
import TreasureCard from "../src/kit/TreasureCard.svelte";
import { groupsOf, isSecret, pictureOf, secretCoins, typeName } from "../src/state/cards";
import Collection from "../src/table/Collection.svelte";
import { nicheLabel } from "../src/table/labels";
import { card, slot } from "./games";

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);

const shownPictures = (root: ParentNode) =>
  [...root.querySelectorAll("use")].map((use) => use.getAttribute("href")?.slice(1));

describe("cards", () => {
  it("have the names of their types", () => {
    expect([..."IJMPRT"].map(typeName)).toEqual([
      "idol",
      "jewelry",
      "manuscript",
      "pottery",
      "remains",
      "tapestry",
    ]);
    expect(() => typeName("X")).toThrow();
  });

  it("lie in columns by type, in the order of the rulebook", () => {
    const cards = [card(0, "T3"), card(1, "I2"), card(2, "T1")];
    expect(groupsOf(cards).map(({ letter, cards: held }) => [letter, held.length])).toEqual([
      ["I", 1],
      ["T", 2],
    ]);
  });

  it("are secret when the viewer alone knows them", () => {
    const secret = card(0, "J4", { is_public: false });
    expect(isSecret(secret)).toBe(true);
    expect(isSecret(card(1, "J4"))).toBe(false);
    expect(isSecret(card(2, "J?"))).toBe(false);
    expect(secretCoins([secret, card(1, "J3"), card(2, "J?")])).toBe(4);
  });

  it("show the vault of their type while nobody may see them", () => {
    expect(pictureOf(card(0, "P?"))).toBe("vault-pottery");
    expect(pictureOf(card(0, "P2"))).toBe("pottery-2");
    expect(pictureOf(card(0, "P2"), true)).toBe("vault-pottery");
  });
});

describe("a die", () => {
  it("has as many pips as its face says, and the pattern of its heir", () => {
    const { container } = render(Die, { face: 5, heir: 2 });
    expect(container.querySelectorAll(".pips i")).toHaveLength(5);
    expect(shownPictures(container)).toContain("pattern-2");
  });

  it("shows the arms of its heir while it waits", () => {
    const { container } = render(Die, { heir: 1 });
    expect(shownPictures(container)).toContain("heir-1");
    expect(container.querySelector(".pips")).toBeNull();
  });

  it("sleeps when it is exhausted", () => {
    const { container } = render(Die, { heir: 1, isExhausted: true });
    expect(container.querySelectorAll(".eye")).toHaveLength(2);
    expect(shownPictures(container)).not.toContain("heir-1");
  });

  it("has no pattern when it is the Ghost's", () => {
    const { container } = render(Die, { face: 1, heir: "ghost" });
    expect(shownPictures(container)).toEqual([]);
  });

  it("never shows two faces at once that lie opposite each other", () => {
    for (let face = 1; face <= 6; face += 1) {
      const { container } = render(Die, { face, heir: 0 });
      const beside = [".top", ".right"].map((side) =>
        Number(container.querySelector(side)?.className.match(/dots-(\d)/)?.[1]),
      );
      const seen = new Set([face, ...beside].map((pips) => Math.min(pips, 7 - pips)));
      expect(seen.size).toBe(3);
      cleanup();
    }
  });

  it("is scenery unless it has a label", () => {
    render(Die, { face: 3, heir: 0, label: "Bo's 3" });
    expect(screen.getByRole("img", { name: "Bo's 3" })).toBeTruthy();
  });
});

describe("a card in its niche", () => {
  it("shows the treasure and its coins", () => {
    const { container } = render(TreasureCard, { card: card(7, "I4"), isDown: false, niche: 2 });
    expect(shownPictures(container)).toEqual(["idol-4"]);
    expect(screen.getByText("4")).toBeTruthy();
    expect(screen.getByText("Idol")).toBeTruthy();
    expect(container.querySelector("[data-slot='2'][data-card='7']")).toBeTruthy();
  });

  it("is a vault while it lies face-down", () => {
    const { container } = render(TreasureCard, { card: card(0, "J?"), isDown: true, niche: 0 });
    expect(shownPictures(container)).toEqual(["vault-jewelry"]);
    expect(screen.getByText("?")).toBeTruthy();
  });

  it("shows what only the viewer knows, and says so", () => {
    const secret = card(0, "J3", { is_public: false });
    const { container } = render(TreasureCard, { card: secret, isDown: true, niche: 0 });
    expect(shownPictures(container)).toContain("jewelry-3");
    expect(screen.getByText("Only you know")).toBeTruthy();
  });

  it("leaves an empty niche when it was taken", () => {
    render(TreasureCard, { card: null, isDown: true, niche: 0 });
    expect(screen.getByText("Taken")).toBeTruthy();
  });
});

describe("a niche in words", () => {
  const named = (seat: number) => ["Ada", "Bo"][seat] ?? "";
  const said = (place: Parameters<typeof nicheLabel>[0], staged?: Parameters<typeof nicheLabel>[1]) =>
    nicheLabel(place, staged, named, 0);

  it("tells card and holder", () => {
    expect(said(slot(0, "I4"))).toBe("Card 1: Idol worth 4 coins. Nobody holds it.");
    expect(said(slot(1, "T1", { holder: 1, dice: 2, effort: 3 }))).toBe(
      "Card 2: Tapestry worth 1 coin. Bo holds it with 2 dice at effort 3: 6.",
    );
    expect(said(slot(1, "T1", { holder: 0, dice: 1, effort: 3 }))).toContain("You hold it with 1 die");
  });

  it("tells what is hidden and what only the viewer knows", () => {
    expect(said(slot(2, "J?"))).toBe("Card 3: Jewelry, face-down. Nobody holds it.");
    const secret = slot(2, "J2", { card: card(2, "J2", { is_public: false }), is_down: true });
    expect(said(secret)).toContain("only you know that it is worth 2 coins");
    expect(said({ ...slot(2, "J?"), card: null })).toBe("Card 3 was taken.");
  });

  it("tells what is staged", () => {
    expect(said(slot(0, "I4"), { slot: 0, dice: 2, effort: 2 })).toContain(
      "Staged: 2 dice at effort 2, which makes 4.",
    );
  });
});

describe("a collection", () => {
  it("tells every value as far as it is known", () => {
    const cards = [
      card(0, "I2"),
      card(1, "I4", { is_public: false }),
      card(2, "P?"),
      card(3, "P1", { is_flipped: true }),
    ];
    render(Collection, { cards, label: "Your treasures" });
    const said = screen.getAllByRole("listitem").map((item) => item.textContent?.replace(/\s+/g, " ").trim());
    expect(said).toEqual(
      expect.arrayContaining([
        "2 worth 2 coins, seen by all",
        "4 worth 4 coins; only you know",
        "1 worth 1 coin, flipped",
      ]),
    );
    expect(said.some((words) => words?.includes("value unknown"))).toBe(true);
  });

  it("says when there is nothing yet", () => {
    render(Collection, { cards: [], label: "Your treasures" });
    expect(screen.getByText("No treasure yet")).toBeTruthy();
  });
});
