import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyMessage, GameLine, TableInfo } from "../src/wire/types";

/** Simulates a message from the server. */
let say: (message: AnyMessage) => void = () => undefined;
vi.mock("../src/state/session.svelte", () => ({
  session: {
    me: null,
    isReady: false,
    listen: (listener: (message: AnyMessage) => void) => {
      say = listener;
      return () => undefined;
    },
    send: () => Promise.resolve(),
  },
}));
const { listings } = await import("../src/state/lobby.svelte");

function table(id: string, opened: number, status: TableInfo["status"] = "open"): TableInfo {
  return { table: id, status, settings: {}, seats: [], owner: "ada", opened, commitment: "" };
}
function game(
  id: string,
  isYourTurn: boolean,
  updated: number,
  status: TableInfo["status"] = "running",
): GameLine {
  return { info: table(id, 0, status), seats: [0], is_your_turn: isYourTurn, updated };
}
/** With somebody else at the table. */
function shared(id: string, isYourTurn: boolean, updated: number, deadline: number | null = null): GameLine {
  const line = game(id, isYourTurn, updated);
  const seats = [{ kind: "person" as const }, { kind: "person" as const }];
  return { ...line, info: { ...line.info, seats, deadline } };
}
const ids = () => listings.tables?.map((info) => info.table);
const mine = () => listings.games?.map(({ info }) => info.table);

beforeEach(() => {
  listings.tables = null;
  listings.games = null;
  listings.onTurn = () => undefined;
});

describe("the lobby", () => {
  it("shows the newest table first", () => {
    say({ type: "lobby", tables: [table("old", 1), table("new", 2)] });
    expect(ids()).toEqual(["new", "old"]);
  });

  it("applies changes and removals", () => {
    say({ type: "lobby", tables: [table("a", 1), table("b", 2), table("c", 3)] });
    say({ type: "lobby", is_change: true, tables: [table("b", 2, "running")], gone: ["c"] });
    expect(ids()).toEqual(["a", "b"]);
    expect(listings.tables?.[1]?.status).toBe("running");
  });

  it("is replaced by a full list", () => {
    say({ type: "lobby", tables: [table("a", 1)] });
    say({ type: "lobby", tables: [table("b", 1)] });
    expect(ids()).toEqual(["b"]);
  });
});

describe("the pages of the lobby", () => {
  const free = (id: string, opened: number): TableInfo => ({
    ...table(id, opened),
    seats: [{ kind: "free" }],
  });
  const asked: string[] = [];
  const pages: Record<string, { tables: TableInfo[]; next: string | null }> = {
    "/api/lobby?after=1-5-full": {
      tables: [table("older", 4), table("game", 9, "running")],
      next: "0-9-game",
    },
    "/api/lobby?after=0-9-game": { tables: [table("last", 8, "running")], next: null },
  };
  beforeEach(() => {
    asked.length = 0;
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(new Response(JSON.stringify(pages[path]), { status: 200 }));
    });
    listings.enterLobby()();
    say({ type: "lobby", tables: [free("free", 1), table("full", 5)], next: "1-5-full" });
  });

  it("come on demand, joinable tables first", async () => {
    expect(ids()).toEqual(["free", "full"]);
    expect(await listings.loadMore()).toBe("older");
    expect(ids()).toEqual(["free", "full", "older", "game"]);
    expect(await listings.loadMore()).toBe("last");
    expect(ids()).toEqual(["free", "full", "older", "game", "last"]);
    expect(listings.next).toBeNull();
    expect(await listings.loadMore()).toBeNull();
    expect(asked).toEqual(Object.keys(pages));
  });

  it("take changes only where they have been loaded", () => {
    const changed = [free("new", 7), table("older", 4), table("game", 9, "running"), table("newer full", 6)];
    say({ type: "lobby", is_change: true, tables: changed });
    expect(ids()).toEqual(["new", "free", "newer full", "full"]);
    say({ type: "lobby", is_change: true, tables: [table("free", 1, "running")], gone: ["new"] });
    expect(ids()).toEqual(["newer full", "full"]);
  });

  it("stay after a reconnection", async () => {
    await listings.loadMore();
    pages["/api/lobby"] = { tables: [free("new", 7), table("full", 5)], next: "1-5-full" };
    say({ type: "lobby", tables: pages["/api/lobby"].tables, next: "1-5-full" });
    expect(ids()).toEqual(["new", "full", "older", "game"]);
    await vi.waitFor(() => expect(asked.slice(1)).toEqual(["/api/lobby", "/api/lobby?after=1-5-full"]));
    expect(ids()).toEqual(["new", "full", "older", "game"]);
  });
});

describe("one's own games", () => {
  it("leave out tables of a duplicate that one only set up for others", () => {
    const forOthers = game("others", false, 2, "open");
    const sealed = { ...forOthers.info, seal: "duplicate:abc" };
    say({ type: "games", games: [game("mine", false, 1), { ...forOthers, info: sealed, seats: [] }] });
    expect(mine()).toEqual(["mine"]);
  });

  it("come first on the user's turn, then by age", () => {
    say({ type: "games", games: [game("idle", false, 9), game("older", true, 1), game("newer", true, 2)] });
    expect(mine()).toEqual(["newer", "older", "idle"]);
  });

  it("come first where people wait: by deadline, then by waiting time", () => {
    const games = [
      shared("theirs", false, 9),
      game("alone", true, 8),
      shared("new", true, 7),
      shared("old", true, 3),
      shared("late", true, 1, 200),
      shared("soon", true, 6, 100),
    ];
    say({ type: "games", games });
    expect(mine()).toEqual(["soon", "late", "old", "new", "alone", "theirs"]);
    expect(listings.waiting().map(({ info }) => info.table)).toEqual(["soon", "late", "old", "new"]);
    expect(listings.waiting("soon")[0]?.info.table).toBe("late");
  });

  it("wait for nobody at a device that all who play share", () => {
    const together = shared("together", true, 1);
    say({ type: "games", games: [{ ...together, seats: [0, 1] }] });
    expect(listings.waiting()).toEqual([]);
  });

  it("leave the list when they are over", () => {
    say({ type: "games", games: [game("a", true, 1), game("b", false, 1)] });
    say({ type: "games", is_change: true, games: [game("a", false, 2, "over")] });
    expect(mine()).toEqual(["b"]);
  });

  it("notify at the start of the user's turn only", () => {
    const called: string[] = [];
    listings.onTurn = ({ info }) => called.push(info.table);
    say({ type: "games", games: [game("a", true, 1), game("b", false, 1)] });
    expect(called).toEqual([]);
    say({ type: "games", is_change: true, games: [game("a", true, 2), game("b", true, 2)] });
    expect(called).toEqual(["b"]);
  });
});
