/** Playback of recorded games, and opened records. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Frame, RecordedTable, viewAfter } from "../src/features/film/recordedTable.svelte";
import { recordsIn } from "../src/features/replay/recordFiles";
import { onKey } from "../src/features/replay/keys";
import OpenRecord from "../src/features/replay/OpenRecord.svelte";
import { Player } from "../src/features/replay/player.svelte";
import { ReplayState } from "../src/features/replay/replay.svelte";
import ReplayLog from "../src/features/replay/ReplayLog.svelte";
import { companyOf, parseViewer } from "../src/features/replay/replays";
import Transport from "../src/features/replay/Transport.svelte";
import { words } from "../src/i18n/index.svelte";
import { settings } from "../src/state/settings.svelte";
import type { Replay } from "../src/wire/types";
import { reveal, slot, numberedEvents, view } from "./games";

beforeAll(async () => {
  await words.setLanguage("en");
  await words.need("replay");
});
beforeEach(() => {
  vi.useFakeTimers();
  settings.change({ speed: "normal", usesKeys: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const first = view();
const claimed = view({
  actor: 1,
  turn: 1,
  row: [slot(0, "I4", { holder: 0, dice: 2, effort: 3 }), ...first.row.slice(1)],
});
const second = view({ round: 2, leader: 1 });
const frames: Frame[] = [
  { move: 0, events: numberedEvents(0, reveal()), view: first },
  {
    move: 1,
    events: numberedEvents(1, {
      type: "claim",
      seat: 0,
      place: [{ slot: 0, dice: 2, effort: 3 }],
      last: false,
    }),
    view: claimed,
  },
  {
    move: 2,
    events: numberedEvents(
      2,
      { type: "recover", seat: 1, dice: 0 },
      { type: "roll", seat: 0, slot: 0, effort: 3, rolled: [2, 5] },
    ),
    view: view({ phase: "collect" }),
  },
  {
    move: 2,
    events: numberedEvents(4, { type: "collect", seat: 0, cards: ["I4"] }),
    view: view({ phase: "torch" }),
  },
  { move: 2, events: numberedEvents(5, reveal({ round: 2, leader: 1 })), view: second },
];
const company = {
  settings: { players: 3 },
  seats: ["Ada", "Bo", "Cy"].map((name) => ({ kind: "person" as const, name })),
};

let table: RecordedTable;
let player: Player;
beforeEach(() => {
  table = new RecordedTable(company, frames, { speed: () => player.speed, isReadOnly: true });
  player = new Player(table);
});
afterEach(() => table.close());

describe("a recorded table", () => {
  it("shows the view of any moment", () => {
    expect(table.stage.view).toBe(first);
    table.show(1);
    expect(table.stage.view).toBe(claimed);
    expect(table.events).toHaveLength(2);
    table.show(99);
    expect([table.at, table.stage.view]).toEqual([5, second]);
  });

  it("patches the view by events between two moments", () => {
    const between = viewAfter(frames, 2);
    expect(between).not.toBe(frames[2]?.view);
    expect(between?.row[0]?.holder).toBe(0);
    expect(viewAfter(frames, 3)).toBe(frames[2]?.view);
  });

  it("plays forward and ends at the requested moment", () => {
    table.play(1);
    expect(table.stage.isBusy).toBe(true);
    expect(table.at).toBe(1);
    vi.advanceTimersByTime(5000);
    expect(table.stage.isBusy).toBe(false);
    expect(table.stage.view).toBe(claimed);
  });

  it("offers no decisions in a replay, and passes a lesson's moves on", async () => {
    expect(table.isPlayedByBot).toBe(true);
    const heard: unknown[] = [];
    table.answer = (actions) => Promise.resolve(void heard.push(...actions));
    await table.act([{ do: "recover" }]);
    expect(heard).toEqual([{ do: "recover" }]);
  });
});

describe("the way through", () => {
  it("goes by events, moves and rounds, forwards and backwards", () => {
    player.next("event");
    expect(table.at).toBe(1);
    player.next("move");
    expect(table.at).toBe(5);
    player.previous("move");
    expect(table.at).toBe(1);
    player.next("round");
    expect([table.at, player.round]).toEqual([5, 2]);
    player.previous("round");
    expect([table.at, player.isAtStart]).toEqual([0, true]);
  });

  it("ends the current animation on the next command", () => {
    player.next("event");
    player.next("event");
    expect(table.at).toBe(2);
    expect(table.stage.lastEvents.length).toBeGreaterThan(0);
  });

  it("plays automatically to the end, stops there, and restarts", () => {
    render(Transport, { player });
    player.toggle();
    flushSync();
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      flushSync();
    }
    expect([table.at, player.isPlaying]).toEqual([5, false]);
    player.toggle();
    expect([table.at, player.isPlaying]).toEqual([0, true]);
  });

  it("stops automatic playback on a manual command", () => {
    player.toggle();
    player.previous("event");
    expect(player.isPlaying).toBe(false);
  });

  it("is instant with reduced motion", () => {
    vi.spyOn(settings, "prefersStillness", "get").mockReturnValue(true);
    player.next("event");
    expect(table.stage.isBusy).toBe(false);
    vi.restoreAllMocks();
  });

  it("names the moment on its slider", async () => {
    render(Transport, { player });
    const slider = screen.getByRole("slider", { name: "Moment of the game" });
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^1 of 6, round 1\. /);
    await fireEvent.input(slider, { target: { value: "4" } });
    expect(table.at).toBe(4);
    expect(slider.getAttribute("aria-valuetext")).toBe("5 of 6, round 1. You take Idol 4.");
  });

  it("leads from each line of the log to its moment", async () => {
    render(ReplayLog, { player });
    const lines = screen.getAllByRole("button");
    expect(lines).toHaveLength(6);
    await fireEvent.click(lines[3] as HTMLElement);
    expect(table.at).toBe(3);
    flushSync();
    expect(lines[3]?.getAttribute("aria-current")).toBe("step");
    expect(lines[4]?.className).toContain("is-ahead");
  });
});

describe("keys", () => {
  const press = (key: string, more: KeyboardEventInit = {}) => {
    const does = { nextViewer: vi.fn(), copyLink: vi.fn(), showHelp: vi.fn() };
    const targets = { player, ...does, analyse: vi.fn(), goToMistake: vi.fn(), openWhatIf: vi.fn() };
    onKey(new KeyboardEvent("keydown", { key, cancelable: true, ...more }), targets);
    return targets;
  };

  it("lead through the game", () => {
    press("ArrowRight");
    expect(table.at).toBe(1);
    press("ArrowRight", { shiftKey: true });
    expect(table.at).toBe(5);
    table.stage.skip();
    press("ArrowLeft");
    expect(table.at).toBe(4);
    press("Home");
    expect(table.at).toBe(0);
    press("PageDown");
    expect(table.at).toBe(5);
    press("End");
    press("PageUp");
    expect(table.at).toBe(0);
    press(" ");
    expect(player.isPlaying).toBe(true);
    press("κ", { code: "KeyK" });
    expect(player.isPlaying).toBe(false);
    expect(press("v").nextViewer).toHaveBeenCalled();
    expect(press("l").copyLink).toHaveBeenCalled();
    expect(press("?").showHelp).toHaveBeenCalled();
  });

  it("that are letters can be switched off", () => {
    settings.change({ usesKeys: false });
    expect(press("v").nextViewer).not.toHaveBeenCalled();
    press("ArrowRight");
    expect(table.at).toBe(1);
  });
});

describe("an opened record", () => {
  const record = (name: string) => JSON.stringify({ game: { seats: [{ name }, { name: "Bo" }] } });

  it("is one record, or one a line", () => {
    expect(recordsIn(" ")).toEqual([]);
    expect(recordsIn(record("Ada")).map(({ label }) => label)).toEqual(["Ada, Bo"]);
    expect(recordsIn(`${record("Ada")}\n\n${record("Cy")}\n`).map(({ label }) => label)).toEqual([
      "Ada, Bo",
      "Cy, Bo",
    ]);
    expect(recordsIn("not a record")).toEqual([{ record: null, label: "" }]);
    expect(recordsIn("[1]")).toEqual([{ record: null, label: "" }]);
    expect(recordsIn('{"game": {"seats": [null, 7]}}')[0]?.label).toBe("");
  });

  it("is shown when it is pasted, and chosen from when there are several", async () => {
    const onopen = vi.fn();
    render(OpenRecord, { isBusy: false, failure: null, onopen });
    const text = screen.getByRole("textbox", { name: "Text of the record" });
    const show = screen.getByRole("button", { name: "Show the game" });
    await fireEvent.click(show);
    expect(screen.getByRole("alert").textContent).toContain("Paste a record first");
    await fireEvent.input(text, { target: { value: record("Ada") } });
    await fireEvent.click(show);
    expect(onopen).toHaveBeenCalledTimes(1);
    await fireEvent.input(text, { target: { value: `${record("Ada")}\n${record("Cy")}` } });
    await fireEvent.click(show);
    await fireEvent.click(screen.getByRole("button", { name: "Game 2 · Cy, Bo" }));
    expect(onopen).toHaveBeenLastCalledWith(expect.objectContaining({ label: "Cy, Bo" }));
  });
});

it("knows a viewer by what an address says", () => {
  expect(["0", "3", "all", "spectator", "4", "x", "", null].map(parseViewer)).toEqual([
    0,
    3,
    "all",
    "spectator",
    null,
    null,
    null,
    null,
  ]);
});

it("knows bots among those who played", () => {
  const seats = [
    { name: "Ada", kind: "human" },
    { name: "Bo", kind: "bot:greedy" },
  ];
  const { seats: found } = companyOf({ players: 2, seats } as Replay);
  expect(found).toEqual([
    { kind: "person", name: "Ada" },
    { kind: "bot", level: "greedy" },
  ]);
});

describe("points of view", () => {
  const source = { kind: "table", table: "t", invite: null } as const;
  function seenBy(viewer: Replay["viewer"]): Response {
    const replay = { viewer, frames, players: 3, seats: [], result: null };
    return new Response(JSON.stringify(replay), { headers: { "content-type": "application/json" } });
  }
  async function begun(): Promise<{ replayState: ReplayState; fetched: ReturnType<typeof vi.fn> }> {
    const fetched = vi.fn().mockResolvedValueOnce(seenBy(0));
    vi.stubGlobal("fetch", fetched);
    const replayState = new ReplayState();
    await replayState.open(source, null, 1);
    return { replayState, fetched };
  }
  afterEach(() => vi.unstubAllGlobals());

  it("show the last requested one, whatever arrives first", async () => {
    const { replayState, fetched } = await begun();
    let arrive: (answer: Response) => void = () => {};
    fetched.mockReturnValueOnce(new Promise<Response>((resolve) => (arrive = resolve)));
    const slow = replayState.setViewer("spectator");
    expect([replayState.eyes, replayState.replay?.viewer, replayState.isLoading]).toEqual([
      "spectator",
      0,
      true,
    ]);
    expect(await replayState.setViewer(0)).toBe(true);
    arrive(seenBy("spectator"));
    expect(await slow).toBe(false);
    expect([replayState.eyes, replayState.replay?.viewer, replayState.isLoading]).toEqual([0, 0, false]);
    replayState.close();
  });

  it("stay unchanged if another one fails to load", async () => {
    const { replayState, fetched } = await begun();
    fetched.mockRejectedValueOnce(new TypeError("no network"));
    expect(await replayState.setViewer("all")).toBe(false);
    expect([replayState.eyes, replayState.replay?.viewer]).toEqual([0, 0]);
    replayState.close();
  });
});
