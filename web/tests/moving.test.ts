import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "../src/state/session.svelte";
import { LiveTable } from "../src/state/table.svelte";
import { numberedEvents } from "./games";
import { claimView } from "./positions";

const RECOVER = [{ do: "recover" }] as const;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(session, "send").mockResolvedValue(undefined as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function tableWhile(isPlaying: boolean): LiveTable {
  const table = new LiveTable("t", null);
  table.ply = 7;
  table.stage.show(claimView());
  if (isPlaying) table.stage.play(numberedEvents(0, { type: "recover", seat: 1, dice: 1 }), claimView());
  return table;
}

describe("a move", () => {
  it("is sent at once while no scene plays", () => {
    void tableWhile(false).act([...RECOVER]);
    expect(session.send).toHaveBeenCalledOnce();
  });

  it("is shown as pending before the scene ends, and keeps its decision", async () => {
    const table = tableWhile(true);
    void table.act([...RECOVER]);
    expect([table.isSending, table.stage.isBusy]).toEqual([true, true]);
    expect(session.send).not.toHaveBeenCalled();
    table.ply = 8;
    await vi.advanceTimersByTimeAsync(100);
    expect(table.stage.isBusy).toBe(false);
    expect(session.send).toHaveBeenCalledWith(expect.objectContaining({ type: "act", ply: 7 }));
    expect(table.isSending).toBe(false);
  });

  it("is sent also in hidden tabs", async () => {
    vi.stubGlobal("requestAnimationFrame", () => 0);
    void tableWhile(true).act([...RECOVER]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(session.send).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
