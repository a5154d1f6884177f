import { afterEach, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { companyText } from "../src/state/describe";
import type { SeatInfo, TableInfo } from "../src/wire/types";

const ada: SeatInfo = { kind: "person", name: "Ada" };
const bo: SeatInfo = { kind: "person", name: "Bo" };
const free: SeatInfo = { kind: "free" };
const kept: SeatInfo = { kind: "kept", name: "Cy" };

function tableOf(...seats: SeatInfo[]): TableInfo {
  const settings = { players: seats.length };
  return { table: "t", status: "open", settings, seats, owner: "", opened: 0, commitment: "" };
}

afterEach(() => words.setLanguage("en"));

describe("company", () => {
  it("is those who sit there", async () => {
    await words.setLanguage("en");
    expect(companyText(tableOf(ada, free, bo, kept), [0])).toBe("With Bo");
    expect(companyText(tableOf(ada, bo, { kind: "bot", level: "greedy" }), [1])).toMatch(/^With Ada and \w/);
  });

  it.each([
    ["en", "Nobody else yet"],
    ["pl", "Na razie bez towarzystwa"],
    ["fr", "Personne d’autre pour l’instant"],
    ["el", "Κανείς άλλος ακόμα"],
  ] as const)("is nobody while all other seats are free or kept, in %s", async (language, text) => {
    await words.setLanguage(language);
    expect(companyText(tableOf(ada, free, kept), [0])).toBe(text);
  });

  it("is the Ghost for whoever plays alone", async () => {
    await words.setLanguage("en");
    expect(companyText(tableOf(ada), [0])).toBe("You against the Ghost");
  });
});
