/** Why the server said no, in the reader's own words. */
import { afterEach, describe, expect, it } from "vitest";
import { because, words } from "../src/i18n/index.svelte";

const missing = {
  code: "not_a_message",
  details: { why: "missing", field: "$.name" },
  text: "This message was not understood: $.name is missing.",
};

afterEach(() => words.speak("en"));

describe("a refusal", () => {
  it.each([
    ["en", "This message was not understood: $.name is missing."],
    ["pl", "Ta wiadomość jest niezrozumiała: brakuje $.name."],
    ["fr", "Ce message n’a pas été compris : il manque $.name."],
    ["el", "Αυτό το μήνυμα δεν έγινε κατανοητό: λείπει το $.name."],
  ] as const)("tells its kind in %s", async (language, text) => {
    await words.speak(language);
    expect(because(missing).replaceAll(/[\u00a0\u202f]/g, " ")).toBe(text);
  });

  it("of a kind that is not known here is told in general", async () => {
    await words.speak("pl");
    expect(because({ ...missing, details: { why: "brand_new" } })).toBe("Ta wiadomość jest niezrozumiała.");
  });

  it("tells in the reader's words what was tried", async () => {
    await words.speak("pl");
    const parts = { code: "not_a_message", details: { why: "parts", verb: "reroll" }, text: "" };
    expect(because(parts)).toContain("(przerzut nieudanej kości)");
  });
});
