import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import Rules from "../src/screens/Rules.svelte";
import { recent } from "../src/state/recent.svelte";
import { isTopic, matches, paragraphsOf, TERMS, TOPICS } from "../src/state/rulebook";

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);

describe("the rulebook", () => {
  it("has a heading for every topic and an explanation for every word", () => {
    for (const topic of TOPICS) expect(words.has(`rules.${topic}.title`)).toBe(true);
    for (const topic of TOPICS.filter((name) => name !== "words")) {
      expect(paragraphsOf(topic).length).toBeGreaterThan(1);
    }
    for (const term of TERMS) expect(words.has(`rules.tip.${term}`)).toBe(true);
  });

  it("knows its topics", () => {
    expect(isTopic("solo")).toBe(true);
    expect(isTopic("cheating")).toBe(false);
    expect(isTopic(null)).toBe(false);
  });

  it.each([
    ["pushed", "the dice you push out", false],
    ["push OUT", "The dice you push out", true],
    ["Gha", "the Ghost", false],
    ["ghos", "the Ghost", true],
    ["epuise", "Un serviteur épuisé", true],
  ])("finds %s in “%s”: %s", (search, text, isThere) => {
    expect(matches(text, search)).toBe(isThere);
  });
});

describe("the rules on the screen", () => {
  it("show every topic, and after a search only those that speak of it", async () => {
    render(Rules, { topic: null });
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(TOPICS.length);
    await fireEvent.input(screen.getByRole("searchbox"), {
      target: { value: "set aside nothing like this" },
    });
    expect(screen.queryAllByRole("heading", { level: 2 })).toHaveLength(0);
    await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "consolation" } });
    expect(screen.getAllByRole("heading", { level: 2 }).map((head) => head.textContent)).toEqual([
      "Pushing out",
    ]);
  });

  it("begin with the Collectors of the table one comes from", () => {
    recent.table = { route: { screen: "table", table: "t", invite: null }, collectors: "ABABAB" };
    render(Rules, { topic: null });
    expect(screen.getAllByRole("heading", { level: 2 })[0]?.textContent).toBe("The Collectors of your game");
    expect(screen.getByRole("link", { name: "Back to the table" }).getAttribute("href")).toBe("#/table/t");
    recent.table = null;
  });
});
