/** Analysis of a replay's moments, and variations from them. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AnalysisState } from "../src/features/analysis/analysis.svelte";
import AnalysisPanel from "../src/features/analysis/AnalysisPanel.svelte";
import Curve from "../src/features/analysis/Curve.svelte";
import { rangeOf, spread } from "../src/features/analysis/curves";
import { Variation, forkAt } from "../src/features/analysis/variation.svelte";
import { Findings } from "../src/features/analysis/findings";
import LineScreen from "../src/features/analysis/LineScreen.svelte";
import WhatIfDialog from "../src/features/analysis/WhatIfDialog.svelte";
import { actionText, changeText, factText, roundOf } from "../src/features/analysis/wording";
import { type Frame, RecordedTable } from "../src/features/film/recordedTable.svelte";
import { Player } from "../src/features/replay/player.svelte";
import { words } from "../src/i18n/index.svelte";
import { settings } from "../src/state/settings.svelte";
import { Refusal } from "../src/wire/rest";
import type { GameAnalysis, JudgedDecision, LinePlayed, ResultSplit } from "../src/wire/types";
import { reveal, seat, numberedEvents, view } from "./games";

beforeAll(async () => {
  await words.setLanguage("en");
  await words.need("replay", "analysis", "advice");
});
beforeEach(() => settings.change({ speed: "instant" }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const place = [{ slot: 0, dice: 2, effort: 3 }];
const claim = { type: "claim" as const, seat: 0, place, last: false };
const frames: Frame[] = [
  { move: 0, events: numberedEvents(0, reveal()), view: view() },
  { move: 1, events: numberedEvents(1, claim), view: view({ actor: 1, turn: 1 }) },
  {
    move: 3,
    events: numberedEvents(2, { type: "recover", seat: 2, dice: 0 }),
    view: view({ phase: "collect", actor: null }),
  },
  { move: 3, events: numberedEvents(3, reveal({ round: 2, leader: 1 })), view: view({ round: 2, actor: 1 }) },
];
const company = {
  settings: { players: 3 },
  seats: ["Ada", "Bo", "Cy"].map((name) => ({ kind: "person" as const, name })),
};

function decision(changes: Partial<JudgedDecision>): JudgedDecision {
  return {
    move: 1,
    round: 1,
    seat: 0,
    played: { do: "claim", place },
    best: { do: "claim", place: [{ slot: 1, dice: 1, effort: 2 }] },
    wins: 0.5,
    score: 30,
    lost: 0.07,
    lost_coins: 1.5,
    grade: "mistake",
    facts: [{ fact: "gain", details: { cards: ["T3"], coins: 3, paid: 0, hoped: 2.04 } }],
    ...changes,
  };
}
const split: ResultSplit = {
  expected: 0.33,
  decisions: -0.2,
  dice: 0.1,
  reveals: 0,
  rivals: 0.1,
  doubt: 0.001,
  final: 0,
};
const analysis: GameAnalysis = {
  decisions: [
    decision({}),
    decision({
      move: 2,
      seat: 1,
      played: { do: "decline" },
      best: { do: "decline" },
      grade: "best",
      lost: 0,
    }),
    decision({
      move: 3,
      seat: 2,
      played: { do: "recover" },
      best: { do: "peek" },
      grade: "blunder",
      lost: 0.2,
    }),
  ],
  moments: [0, 1, 2, 3].map((move) => ({
    move,
    round: move < 3 ? 1 : 2,
    wins: [0.4 + move / 10, 0.3, 0.3 - move / 10],
    scores: [30, 29, 28],
  })),
  wins: [split, split, split],
  coins: [split, split, split],
};

let table: RecordedTable;
let player: Player;
beforeEach(() => {
  table = new RecordedTable(company, frames, { isReadOnly: true });
  player = new Player(table);
});
afterEach(() => table.close());

describe("findings", () => {
  const findings = new Findings(analysis, frames);

  it("belong to the event of a decision, or to the last one before a silent decision", () => {
    expect(findings.judged.map(({ n, isSilent }) => [n, isSilent])).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ]);
    expect(findings.decisionsAt(1)).toHaveLength(2);
  });

  it("reveal no later events", () => {
    expect([0, 1, 2, 3].map((n) => findings.momentAt(n))).toEqual([0, 2, 2, 3]);
    expect(findings.valuesAt(findings.momentAt(3))[0]).toBeCloseTo(0.7);
  });

  it("navigate from mistake to mistake", () => {
    expect(findings.nextMistake(0)?.n).toBe(1);
    expect(findings.nextMistake(1)?.n).toBe(2);
    expect(findings.nextMistake(2)).toBeNull();
    expect(findings.previousMistake(3)?.n).toBe(2);
    expect(findings.previousMistake(1)).toBeNull();
  });

  it("are in the game's words, by name and with figures of the language", () => {
    const [first] = findings.judged;
    if (!first) throw new Error("nothing was judged");
    const so = roundOf(first, table.all);
    expect(actionText(first.decision.best, so)).toBe("1\u00a0×\u00a02 on the Tapestry");
    expect(actionText({ do: "reroll", slot: 0 }, so)).toBe("Roll a failed die again on the Idol");
    expect(actionText({ do: "take", slot: 3 }, so)).toBe("Take a face-down card: Jewelry");
    expect(factText(analysis.decisions[0]?.facts[0] as never, table)).toBe(
      "Tapestry 3: 3 Coins, and the Collector may add about 2 Coins",
    );
    const pushes = { fact: "pushes", details: { who: [1], cards: ["I4"], worth: 1 } };
    expect(factText(pushes as never, table)).toBe("pushes out Bo: Idol 4, worth about 1 Coin there");
    expect([changeText(-0.2, false), changeText(0.001, false), changeText(1.25, true)]).toEqual([
      "−20%",
      "0%",
      "+1.3",
    ]);
  });
});

describe("the curve", () => {
  const findings = new Findings(analysis, frames);

  it("keeps labels apart and within its height", () => {
    expect(spread([50, 50, 52], 15, 10, 90)).toEqual([50, 65, 80]);
    expect(spread([88, 90, 20], 15, 10, 90)).toEqual([75, 90, 20]);
    expect(rangeOf([23, 47], true)).toEqual([20, 50]);
    expect(rangeOf([0.2], false)).toEqual([0, 1]);
  });

  it("is stepped through by keys, also from mistake to mistake", async () => {
    render(Curve, { findings, player });
    const curve = screen.getByRole("slider");
    expect(curve.getAttribute("aria-valuetext")).toBe("Round 1. Ada 40%, Bo 30%, Cy 30%");
    await fireEvent.keyDown(curve, { key: "ArrowRight" });
    expect(table.at).toBe(1);
    await fireEvent.keyDown(curve, { key: "PageDown" });
    expect(table.at).toBe(2);
    await fireEvent.keyDown(curve, { key: "ArrowLeft" });
    expect(table.at).toBe(1);
    await fireEvent.keyDown(curve, { key: "End" });
    expect(curve.getAttribute("aria-valuetext")).toBe("Round 2. Ada 70%, Bo 30%, Cy 0%");
    await fireEvent.keyDown(curve, { key: "Home" });
    expect(table.at).toBe(0);
  });
});

describe("the panel", () => {
  it("waits, fails with a reason, and tries again", async () => {
    const analysisState = new AnalysisState();
    const onretry = vi.fn();
    render(AnalysisPanel, { analysisState, findings: null, player, onretry });
    expect(screen.getByRole("status").textContent).toContain("being weighed");
    analysisState.failure = { code: "no_analysis", details: {}, text: "" };
    flushSync();
    expect(screen.getByRole("alert").textContent).toContain("does not analyse");
    await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(onretry).toHaveBeenCalledOnce();
  });

  it("judges the decision of the moment and leads to the next mistake", async () => {
    const findings = new Findings(analysis, frames);
    render(AnalysisPanel, { analysisState: new AnalysisState(), findings, player, onretry: vi.fn() });
    expect(screen.getByText(/Nobody decides anything here/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Next mistake" }));
    expect(table.at).toBe(1);
    expect(screen.getAllByText("A mistake")).toHaveLength(1);
    expect(screen.getByText("This costs 7% of the win.")).toBeTruthy();
    expect(screen.getByText("Nothing better was found.")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Next mistake" }));
    expect(screen.getByText("A blunder")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Next mistake" }).getAttribute("aria-disabled")).toBe("true");
    const row = screen.getByRole("row", { name: /^Decisions/ });
    expect(row.textContent).toContain("−20%");
  });
});

function answers(...found: (object | Refusal)[]): ReturnType<typeof vi.fn> {
  const fetched = vi.fn();
  for (const one of found) {
    const [body, status] = one instanceof Refusal ? [one.reason, one.status] : [one, 200];
    fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
  }
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
function bodyOf(fetched: ReturnType<typeof vi.fn>, call: number): Record<string, unknown> {
  const [, options] = fetched.mock.calls[call] as [string, { body: string }];
  return JSON.parse(options.body) as Record<string, unknown>;
}

describe("an analysis", () => {
  const source = { kind: "table", table: "abcdef", invite: "link" } as const;

  it("is polled until it is ready, then cached", async () => {
    vi.useFakeTimers();
    const later = (code: string) => new Refusal({ code, details: {}, text: "" }, 503);
    const fetched = answers(later("analysis_unready"), later("analysis_under_way"), analysis);
    const analysisState = new AnalysisState();
    analysisState.open(source);
    await vi.advanceTimersByTimeAsync(10);
    expect(analysisState.isUnready).toBe(true);
    await vi.advanceTimersByTimeAsync(1500);
    expect(analysisState.isUnready).toBe(false);
    await vi.advanceTimersByTimeAsync(1500);
    expect(analysisState.analysis).toEqual(analysis);
    analysisState.close();
    analysisState.open(source);
    expect(fetched).toHaveBeenCalledTimes(3);
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/tables/abcdef/analysis");
    vi.useRealTimers();
  });

  it("shows why it failed, and stops polling when closed", async () => {
    const fetched = answers(new Refusal({ code: "no_analysis", details: {}, text: "" }, 409), analysis);
    const analysisState = new AnalysisState();
    await analysisState.fetch({ kind: "record", record: { a: 1 } });
    expect(analysisState.failure?.code).toBe("no_analysis");
    expect(bodyOf(fetched, 0)).toEqual({ a: 1 });
    const waiting = analysisState.fetch(source);
    analysisState.clear();
    await waiting;
    expect(analysisState.analysis).toBeNull();
  });
});

describe("a line", () => {
  it("begins before the decision of the event, or before the next one", () => {
    expect(forkAt(frames, 0)).toEqual({ move: 0, round: 1, actor: 0 });
    expect(forkAt(frames, 1)).toEqual({ move: 0, round: 1, actor: 0 });
    expect(forkAt(frames, 2)).toEqual({ move: 2, round: 1, actor: 2 });
    expect(forkAt(frames, 3)).toEqual({ move: 3, round: 2, actor: 1 });
    expect(
      forkAt([{ move: 0, events: numberedEvents(0, reveal()), view: view({ actor: null }) }], 0),
    ).toBeNull();
  });

  const mine = view({
    form: { ready: 3, least: [1, 1, 1, 1], one_card_only: false } as never,
    actions: [109],
  });
  const first: LinePlayed = { line: [], frames: frames.slice(0, 1), view: mine, result: null };
  const second: LinePlayed = {
    line: [
      { seat: 0, move: "1:2x3" },
      { seat: 1, move: "decline" },
    ],
    frames: frames.slice(1, 2),
    view: { ...mine, turn: 3 },
    result: null,
  };
  const silent: LinePlayed = { ...second, frames: [], view: { ...mine, phase: "idol" } };
  const source = { kind: "record", record: { format: "x" } } as const;
  const choice = { seat: 0, level: "heir", isNew: false };
  const fork = { move: 0, round: 1, actor: 0 };
  const begun = () => Variation.begin(source, fork, choice, company);

  it("contains all moves played, and undoes them", async () => {
    const fetched = answers(first, second, silent);
    const variation = await begun();
    expect(bodyOf(fetched, 0)).toMatchObject({
      move: 0,
      seat: 0,
      level: "heir",
      chance: "same",
      record: source.record,
    });
    expect(variation.table.view).toEqual(mine);
    expect(variation.canUndo).toBe(false);
    await variation.table.act([{ do: "recover" }]);
    expect(bodyOf(fetched, 1)).toMatchObject({ line: [], actions: [{ do: "recover" }], since: 1 });
    expect(bodyOf(fetched, 1).seed).toBe(bodyOf(fetched, 0).seed);
    expect(variation.table.view?.turn).toBe(3);
    await variation.table.act([{ do: "decline" }]);
    expect(bodyOf(fetched, 2)).toMatchObject({ line: second.line, since: 2 });
    expect(variation.table.stage.view?.phase).toBe("idol");
    variation.undo();
    expect(variation.table.view?.phase).toBe("claim");
    variation.undo();
    expect(variation.table.view).toEqual(mine);
    expect(variation.table.all).toHaveLength(1);
    variation.close();
  });

  it("is unchanged by a refused move", async () => {
    answers(first, new Refusal({ code: "card_gone", details: {}, text: "" }, 409));
    const variation = await begun();
    await expect(variation.table.act([{ do: "recover" }])).rejects.toBeInstanceOf(Refusal);
    expect([variation.isBusy, variation.canUndo]).toEqual([false, false]);
    variation.close();
  });

  it("restarts with new dice", async () => {
    const fetched = answers(first, second, first);
    const variation = await begun();
    await variation.table.act([{ do: "recover" }]);
    await variation.redraw();
    const { chance, seed, line } = bodyOf(fetched, 2);
    expect([chance, line]).toEqual(["new", undefined]);
    expect(seed).not.toBe(bodyOf(fetched, 0).seed);
    expect(variation.canUndo).toBe(false);
    variation.close();
  });

  it("is played on the table, and compared with the game when it is over", async () => {
    const over = view({
      phase: "over",
      actor: null,
      scores: [31, 20, 19],
      seats: [0, 1, 2].map((one) => seat(one)),
    });
    const end: LinePlayed = {
      line: second.line,
      frames: [
        {
          move: 1,
          events: numberedEvents(1, claim, { type: "end", scores: [31, 20, 19], winners: [0] } as never),
          view: over,
        },
      ],
      view: over,
      result: { scores: [31, 20, 19], winners: [0], places: [1, 2, 3], breakdown: [] } as never,
    };
    answers(first, end);
    const variation = await begun();
    const onback = vi.fn();
    const was = { scores: [24, 26, 19], winners: [1], places: [2, 1, 3], breakdown: [] };
    render(LineScreen, { variation, result: was as never, onback });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("What if? From round 1");
    expect(screen.getByText(/Heir plays for all others/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Take back" }).getAttribute("aria-disabled")).toBe("true");
    await variation.table.act([{ do: "recover" }]);
    variation.table.stage.skip();
    flushSync();
    expect(screen.getByText("You end with 31 Coins. In the game it was 24 Coins.")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Take back" }));
    expect(screen.queryByText(/You end with/)).toBeNull();
    const [back] = screen.getAllByRole("button", { name: "Back to the game" });
    await fireEvent.click(back as HTMLElement);
    expect(onback).toHaveBeenCalledOnce();
  });

  it("is configured in a dialog: seat, opponents, dice", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn().mockResolvedValue(new Response(JSON.stringify(["random", "greedy", "heir"]))),
    );
    HTMLDialogElement.prototype.showModal ??= vi.fn();
    const onbegin = vi.fn();
    render(WhatIfDialog, { table, fork: { ...fork, actor: 1 }, isBusy: false, onbegin, onclose: vi.fn() });
    expect(screen.getByText(/before Bo decides/)).toBeTruthy();
    await vi.waitFor(() => expect(screen.getByRole("option", { name: "Heir", hidden: true })).toBeTruthy());
    await fireEvent.click(screen.getByRole("radio", { name: "New ones", hidden: true }));
    await fireEvent.click(screen.getByRole("button", { name: "Play on from here", hidden: true }));
    expect(onbegin).toHaveBeenCalledWith({ seat: 1, level: "heir", isNew: true });
  });
});
