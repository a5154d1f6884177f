import { beforeEach, describe, expect, it } from "vitest";
import { barsOf, medianOf } from "../src/features/daily/distribution";
import { pictureOf, shareText } from "../src/features/daily/shareText";
import { words } from "../src/i18n/index.svelte";
import { isPractice, routeOf, sealOf, sealText } from "../src/state/seal";
import type { DailyTry, TableInfo } from "../src/wire/types";

const SCORES = [
  { score: 28, count: 1 },
  { score: 30, count: 2 },
  { score: 41, count: 1 },
  { score: 62, count: 1 },
];
const TRY: DailyTry = {
  table: "t",
  status: "over",
  counts: true,
  score: 43,
  title: "affluent",
  place: 1,
  taken: [0, 1, 2, 3, 1, 0, 2, 4],
};

function sealed(seal: string | null, opened: string): TableInfo {
  const at = Date.parse(opened);
  return { table: "t", status: "over", settings: {}, seats: [], owner: "", opened: at, commitment: "", seal };
}

beforeEach(async () => {
  await words.setLanguage("en");
  await words.need("daily");
});

describe("how everybody did", () => {
  it("is shown in bars of five coins, without a gap, one's own alight", () => {
    const bars = barsOf(SCORES, 41);
    expect(bars.map(({ from }) => from)).toEqual([25, 30, 35, 40, 45, 50, 55, 60]);
    expect(bars.map(({ count }) => count)).toEqual([1, 2, 0, 1, 0, 0, 0, 1]);
    expect(bars.filter(({ isOwn }) => isOwn).map(({ from }) => from)).toEqual([40]);
  });

  it("is nothing while nobody has finished", () => {
    expect(barsOf([], null)).toEqual([]);
    expect(medianOf([])).toBe(0);
  });

  it("has a middle that half of all have reached", () => {
    expect(medianOf(SCORES)).toBe(30);
    expect(medianOf([{ score: 12, count: 1 }])).toBe(12);
  });
});

describe("the text to share", () => {
  it("tells day, score and title, and of every round only how much was taken", () => {
    expect(shareText("2026-11-17", TRY)).toBe(
      "Royal Crypt, Daily Crypt of Nov 17, 2026\n▁ ▃ ▅ █ ▃ ▁ ▅ █\n43 coins – The Affluent",
    );
  });

  it.each([
    ["pl", "43 monety – Bogaty"],
    ["fr", "43 pièces – Le Nanti"],
    ["el", "43 νομίσματα – Ο Εύπορος"],
  ] as const)("is in the language of the reader: %s", async (language, last) => {
    await words.setLanguage(language);
    expect(shareText("2026-11-17", TRY).split("\n").at(-1)).toBe(last);
  });

  it("has a picture for every round", () => {
    expect(pictureOf([])).toBe("");
    expect(pictureOf([9])).toBe("█");
  });
});

describe("a table under a seal", () => {
  it("leads to where all are compared", () => {
    expect(routeOf({ kind: "daily", name: "2026-11-17" })).toEqual({ screen: "daily", day: "2026-11-17" });
    expect(routeOf({ kind: "duplicate", name: "abc" })).toEqual({ screen: "duplicate", id: "abc" });
    expect(sealOf(sealed(null, "2026-11-17T10:00Z"))).toBeNull();
  });

  it("says when it is played after its day", () => {
    const today = sealed("daily:2026-11-17", "2026-11-17T23:59:59Z");
    const later = sealed("daily:2026-11-17", "2026-11-18T00:00:00Z");
    expect([today, later].map(isPractice)).toEqual([false, true]);
    expect(sealText(today)).toBe("Daily Crypt");
    expect(sealText(later)).toBe("Daily Crypt of Nov 17, 2026, out of competition");
    expect(sealText(sealed("duplicate:abc", "2026-11-17T10:00Z"))).toBe("Duplicate");
  });
});
