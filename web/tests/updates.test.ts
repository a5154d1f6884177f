/** Updates of a live table: changes of the view, and gaps. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "../src/state/session.svelte";
import { LiveTable } from "../src/state/table.svelte";
import { Refusal } from "../src/wire/rest";
import type { AnyMessage, Shown, Update, View } from "../src/wire/types";
import { numberedEvents, reveal, view } from "./games";

const sent = vi.spyOn(session, "send");
const hear = (message: object): void => session["receive"](message as AnyMessage);

const YOU = { seats: [0], seat: 0, is_owner: false, invite: null, away_since: null };
const INFO = {
  table: "t",
  status: "running",
  settings: { players: 3 },
  seats: [{ kind: "person", name: "Ada" }, { kind: "person" }, { kind: "person" }],
  owner: "",
  opened: 0,
  commitment: "",
  actor: 0,
  round: 1,
};

let table: LiveTable;
const shows = (changes: Partial<Shown> = {}): void =>
  hear({
    type: "shown",
    table: "t",
    ply: 4,
    you: YOU,
    info: INFO,
    view: view(),
    events: [],
    chat: [],
    ...changes,
  });
const updates = (ply: number, changes: Partial<Update> = {}): void =>
  hear({ type: "update", table: "t", ply, ...changes });
const watches = () => sent.mock.calls.flatMap(([command]) => (command.type === "watch" ? [command] : []));

beforeEach(() => {
  sent.mockReset().mockImplementation(() => new Promise<AnyMessage>(() => undefined));
  table = new LiveTable("t", null);
});
afterEach(() => table.close());

describe("an update", () => {
  it("with changes leads to the view after them, on the table and on the stage", () => {
    shows();
    const before = table.received;
    updates(5, { changes: { actor: 1, round: 2, row: { 0: { holder: 0, dice: 2, effort: 3 } } } });
    expect(table.received).toMatchObject({ actor: 1, round: 2, deck: 32 });
    expect(table.received?.row[0]).toMatchObject({ holder: 0, dice: 2 });
    expect([before?.actor, before?.row[0]?.holder]).toEqual([0, null]);
    expect([table.ply, table.info?.actor, table.info?.round]).toEqual([5, 1, 2]);
    expect(table.stage.view).toBe(table.received);
    expect(watches()).toEqual([]);
  });

  it("without changes keeps the view; its events and the ply count", () => {
    shows();
    const before = table.received;
    updates(5, { events: numberedEvents(0, reveal()) });
    updates(6);
    expect(table.received).toBe(before);
    expect([table.ply, table.events.length]).toEqual([6, 1]);
  });

  it("with a complete view begins the game", () => {
    shows({ view: null });
    updates(5, { view: view({ deck: 20 }) });
    updates(6, { changes: { deck: 16 } });
    expect([table.received?.deck, table.ply]).toEqual([16, 6]);
  });

  it("after a refusal changes the view of the refusal", () => {
    shows();
    hear({
      type: "refused",
      table: "t",
      ply: 6,
      view: view({ turn: 2 }),
      reason: { code: "stale", details: {}, text: "" },
    });
    updates(7, { changes: { actor: 2 } });
    expect(table.received).toMatchObject({ turn: 2, actor: 2 });
  });

  it("after a gap is not applied: the table is watched again", () => {
    shows({ events: numberedEvents(0, reveal()) });
    updates(6, { changes: { turn: 2 } });
    expect([table.ply, table.received?.turn]).toEqual([4, 0]);
    expect(watches()).toEqual([{ type: "watch", table: "t", since: 1, seat: 0 }]);
    shows({ ply: 6, view: view({ turn: 2 }) });
    updates(7, { changes: { actor: 1 } });
    expect(table.received).toMatchObject({ turn: 2, actor: 1 });
  });

  it("with changes of a view that is not held asks for the table again", () => {
    shows({ view: null });
    updates(5, { changes: { turn: 1 } });
    expect([table.ply, table.received, watches().length]).toEqual([4, null, 1]);
  });

  it("that repeats a ply is ignored", () => {
    shows();
    updates(4, { changes: { turn: 1 } });
    expect([table.received?.turn, watches().length]).toEqual([0, 0]);
  });

  it("passes a shared device to the next person there", () => {
    shows({ you: { ...YOU, seats: [0, 1] } });
    updates(5, { changes: { actor: 1 } satisfies Partial<View> });
    expect(watches()).toEqual([{ type: "watch", table: "t", since: 0 }]);
  });
});

describe("a move", () => {
  const recover = [{ do: "recover" }] as const;
  const acts = () => sent.mock.calls.flatMap(([command]) => (command.type === "act" ? [command] : []));
  const refusal = (code: string) => Promise.reject(new Refusal({ code, details: {}, text: code }));

  beforeEach(() => {
    vi.useFakeTimers();
    shows();
  });
  afterEach(() => vi.useRealTimers());

  it("is sent again, the same, while the storage is silent, also if the table has moved on", async () => {
    sent
      .mockReset()
      .mockImplementationOnce(() => refusal("storage_silent"))
      .mockImplementationOnce(() => refusal("storage_silent"))
      .mockImplementation(() => refusal("already_done"));
    const moving = table.act([...recover]);
    await vi.advanceTimersByTimeAsync(1500);
    expect([acts().length, table.isSending]).toEqual([2, true]);
    updates(5);
    await vi.advanceTimersByTimeAsync(1000);
    await moving;
    expect(acts()).toEqual(Array(3).fill({ type: "act", table: "t", ply: 4, actions: recover }));
    expect(table.isSending).toBe(false);
  });

  it("is given up after a minute of silence", async () => {
    sent.mockReset().mockImplementation(() => refusal("storage_silent"));
    const moving = expect(table.act([...recover])).rejects.toThrow(Refusal);
    await vi.advanceTimersByTimeAsync(62_000);
    await moving;
    expect(acts().length).toBeGreaterThan(50);
  });

  it("is sent once if it is refused for another reason", async () => {
    sent.mockReset().mockImplementation(() => refusal("stale"));
    await expect(table.act([...recover])).rejects.toThrow(Refusal);
    expect(acts()).toHaveLength(1);
  });
});

describe("a table whose last entries are lost", () => {
  const events = numberedEvents(0, reveal(), reveal());

  it("is shown as it is now, with all its events", () => {
    shows({ events });
    hear({ type: "refused", table: "t", ply: 3, view: view({ deck: 9 }), reason: { code: "ply_ahead" } });
    expect([table.ply, table.received?.deck, table.events]).toEqual([3, 9, []]);
    expect(watches()).toMatchObject([{ since: 0 }]);
    shows({ ply: 3, events: events.slice(0, 1), re: 1 });
    expect(table.events).toEqual(events.slice(0, 1));
  });

  it("is asked for again where only the newest events came", () => {
    shows({ events });
    shows({ ply: 3, events: [], re: 1 });
    expect(watches()).toMatchObject([{ since: 0 }]);
    shows({ ply: 3, events: events.slice(0, 1), re: 2 });
    updates(4, { events: events.slice(1) });
    expect(table.events).toEqual(events);
  });
});
