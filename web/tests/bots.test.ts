import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { botHint, botName, bots } from "../src/state/bots.svelte";

beforeAll(() => words.setLanguage("en"));
afterEach(() => {
  bots.levels = [];
});

describe("the bot for somebody who does not want to choose", () => {
  it.each([
    [
      "of the middle, whatever stronger or strange ones there are",
      ["random", "novice", "greedy", "zealot"],
      "greedy",
    ],
    ["the strongest, where that one is missing", ["random", "novice"], "novice"],
    ["known before the server has answered", [], "greedy"],
  ])("is %s", (_, levels, usual) => {
    bots.levels = levels;
    expect(bots.usual).toBe(usual);
  });
});

describe("a bot", () => {
  it.each(["random", "novice", "greedy"])("of ours has a name and a character: %s", (level) => {
    expect(botName(level)).not.toBe(level);
    expect(botHint(level)).not.toBe("");
  });

  it("of another package is called what it calls itself", () => {
    expect(botName("zealot")).toBe("zealot");
    expect(botHint("zealot")).toBe("");
  });
});
