import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Notes, PAUSE } from "../src/features/orders/memo.svelte";
import { Refusal, Unreachable } from "../src/wire/rest";
import type { Memo } from "../src/wire/types";

/** A server with one note. */
const kept = { text: "", updated: 0, isGone: false };
const asked: string[] = [];
vi.mock("../src/wire/rest", async (original) => ({
  ...(await original<typeof import("../src/wire/rest")>()),
  request: (method: string, _path: string, body?: { text: string; since: number }): Promise<Memo> => {
    asked.push(method);
    if (kept.isGone) return Promise.reject(new Unreachable());
    if (method === "PUT" && body) {
      if (body.since !== kept.updated) {
        return Promise.reject(new Refusal({ code: "memo_changed", details: {}, text: "" }, 409));
      }
      kept.text = body.text;
      kept.updated += 1;
    }
    return Promise.resolve({ text: kept.text, updated: kept.updated });
  },
}));

beforeEach(() => {
  Object.assign(kept, { text: "", updated: 0, isGone: false });
  asked.length = 0;
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

async function opened(): Promise<Notes> {
  const notes = new Notes("table", "ada");
  await notes.load();
  return notes;
}
const pause = () => vi.advanceTimersByTimeAsync(PAUSE);

describe("notes to self", () => {
  it("are saved once the writer pauses, and say so", async () => {
    const notes = await opened();
    notes.write("B");
    notes.write("Bo");
    expect(notes.state).toBe("writing");
    await pause();
    expect([notes.state, kept.text]).toEqual(["saved", "Bo"]);
    expect(asked).toEqual(["GET", "PUT"]);
  });

  it("are there again after a reload in the middle of a word", async () => {
    (await opened()).write("Bo bl");
    const again = await opened();
    expect(again.text).toBe("Bo bl");
    await pause();
    expect(kept.text).toBe("Bo bl");
    expect(localStorage.length).toBe(0);
  });

  it("stay on the device while nobody answers, and go out later", async () => {
    const notes = await opened();
    kept.isGone = true;
    notes.write("Bo");
    await pause();
    expect(notes.state).toBe("offline");
    kept.isGone = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect([notes.state, kept.text]).toEqual(["saved", "Bo"]);
  });

  it.each([
    ["mine", "from here"],
    ["theirs", "from there"],
  ] as const)("of two devices are both shown, and %s stays if it is chosen", async (choice, expected) => {
    const notes = await opened();
    Object.assign(kept, { text: "from there", updated: 7 });
    notes.write("from here");
    await pause();
    expect([notes.state, notes.theirs?.text, kept.text]).toEqual(["conflict", "from there", "from there"]);
    notes.settle(choice);
    await pause();
    expect([notes.state, notes.text, kept.text]).toEqual(["saved", expected, expected]);
  });
});
