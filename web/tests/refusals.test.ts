/** Texts of the server's refusals. */
import { afterEach, describe, expect, it } from "vitest";
import { because, words } from "../src/i18n/index.svelte";

const missing = {
  code: "not_a_message",
  details: { why: "missing", field: "$.name" },
  text: "This message was not understood: $.name is missing.",
};

afterEach(() => words.setLanguage("en"));

describe("a refusal", () => {
  it.each([
    ["en", "This message was not understood: $.name is missing."],
    ["pl", "Ta wiadomość jest niezrozumiała: brakuje $.name."],
    ["fr", "Ce message n’a pas été compris : il manque $.name."],
    ["el", "Αυτό το μήνυμα δεν έγινε κατανοητό: λείπει το $.name."],
  ] as const)("tells its kind in %s", async (language, text) => {
    await words.setLanguage(language);
    expect(because(missing).replaceAll(/[\u00a0\u202f]/g, " ")).toBe(text);
  });

  it("of a kind that is not known here is told in general", async () => {
    await words.setLanguage("pl");
    expect(because({ ...missing, details: { why: "brand_new" } })).toBe("Ta wiadomość jest niezrozumiała.");
  });

  it("tells in the reader's words what was tried", async () => {
    await words.setLanguage("pl");
    const parts = { code: "not_a_message", details: { why: "parts", verb: "reroll" }, text: "" };
    expect(because(parts)).toContain("(przerzut nieudanej kości)");
  });

  const brokenRecord = {
    code: "broken_rule",
    details: {
      n: 12,
      rule: "effort_too_low",
      card: 1,
      held: 6,
      needed: 7,
      total: 4,
      why: "Card 1 is held with 6: place 7 or more.",
    },
    text: "",
  };

  it.each([
    ["en", "Event 12 breaks a rule: Card 1 is held with 6: place 7 or more."],
    ["pl", "Zdarzenie 12 łamie zasadę: "],
    ["fr", "L’événement 12 enfreint une règle : "],
    ["el", "Το συμβάν 12 παραβαίνει κανόνα: "],
  ] as const)("of a record tells the event and the rule in %s", async (language, text) => {
    await words.setLanguage(language);
    const said = because(brokenRecord).replaceAll(/[\u00a0\u202f]/g, " ");
    expect(said).toContain(text);
    expect(said).toContain("7");
    if (language !== "en") expect(said).not.toContain("Card");
  });

  it("of a record's head speaks of no event", async () => {
    await words.setLanguage("en");
    const head = { code: "not_a_record", details: { n: -1, field: "format" }, text: "" };
    expect(because(head)).toBe("This is not a game record: look at its format.");
  });
});
