/**
 * A thousand games that the server's engine played at random, each through somebody's eyes: every event has its sentence
 * and its table, and the pieces of a replay draw them. `ROYALCRYPT_FILMS` is how many, `ROYALCRYPT_DRAWN` how many of them
 * are drawn whole.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { cleanup, render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { expect, it } from "vitest";
import { viewAfter } from "../src/features/film/frames";
import { RecordedTable } from "../src/features/film/recordedTable.svelte";
import { Player } from "../src/features/replay/player.svelte";
import { companyOf } from "../src/features/replay/replays";
import ReplayTable from "../src/features/replay/ReplayTable.svelte";
import { words } from "../src/i18n/index.svelte";
import { patched } from "../src/state/patches";
import { LANGUAGES, settings } from "../src/state/settings.svelte";
import { stepsOf } from "../src/state/steps";
import { sentenceOf } from "../src/table/sentences";
import type { Replay, View } from "../src/wire/types";

const FILMS = Number(process.env.ROYALCRYPT_FILMS ?? 1000);
const DRAWN = Number(process.env.ROYALCRYPT_DRAWN ?? 8);
const SEED = Number(process.env.ROYALCRYPT_SEED ?? 0);
const MOMENTS = 7;
const DICE = 3;
/** By players (R2.1). */
const CARDS = [24, 24, 36, 48];
/** What no sentence holds: a gap that was not filled, a key without words, a value that is none. */
const UNSAID = /[{}]|\b(undefined|null|NaN)\b|\b(log|page|term|replay)\.\w/;

async function* films(): AsyncGenerator<Replay> {
  const python = (process.env.PYTHON ?? "../.venv/bin/python").replace(/^\.\.\//, "");
  const studio = spawn(python, ["-m", "tests.play.films", String(FILMS), String(SEED)], {
    cwd: "..",
    env: { ...process.env, PYTHONPATH: "src" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: studio.stdout })) yield JSON.parse(line) as Replay;
}

function tableOf(replay: Replay): RecordedTable {
  return new RecordedTable(companyOf(replay), replay.frames, { speed: () => "instant", isOnlyShown: true });
}

/** All dice are somewhere (R1.3). */
function checkDice(view: View): void {
  for (const { seat, ready, exhausted } of view.seats) {
    const placed = view.row.filter(({ holder }) => holder === seat).map(({ dice }) => dice);
    const all = placed.reduce((sum, dice) => sum + dice, ready + exhausted);
    if (all !== DICE) throw new Error(`seat ${seat} has ${all} dice`);
  }
}

/** All cards are somewhere, and each once. */
function checkCards(view: View, players: number): void {
  const row = view.row.flatMap(({ card }) => card ?? []);
  const seen = [...row, ...view.seats.flatMap(({ cards }) => cards), ...view.discards];
  const all = new Set(seen.map(({ number }) => number)).size + view.deck;
  if (all !== CARDS[players - 1]) throw new Error(`there are ${all} cards`);
}

/** Every event: what is said of it, the table after it, and the way there as the stage goes it. */
function tell(replay: Replay): void {
  const table = tableOf(replay);
  const told = { info: table.info, seat: table.seat, events: table.all };
  for (const event of table.all) {
    const sentence = sentenceOf(event, told);
    if (sentence === "" || UNSAID.test(sentence)) throw new Error(`${event.type}: "${sentence}"`);
    const view = viewAfter(replay.frames, event.n);
    if (view) checkDice(view);
  }
  for (const { view } of replay.frames) checkCards(view, replay.players);
  let before: View | null = null;
  for (const events of table.moves) {
    const final = viewAfter(replay.frames, events.at(-1)?.n ?? 0);
    if (!final) continue;
    const steps = stepsOf(events, { seat: table.seat, speed: "normal", throwsByHand: false });
    if (before) steps.reduce((view, step) => patched(view, step, final), before);
    before = final;
  }
  table.close();
}

/** The whole replay at some of its moments, the first and the last among them. */
function draw(replay: Replay): void {
  const player = new Player(tableOf(replay));
  const { table } = player;
  const empty = (() => {}) as never;
  const props = { player, title: "Replay", result: replay.result as never, door: empty, tools: empty };
  const { container } = render(ReplayTable, props);
  const step = Math.max(1, Math.floor(table.last / MOMENTS));
  for (let n = 0; n <= table.last; n = n === table.last ? n + 1 : Math.min(n + step, table.last)) {
    player.goTo(n);
    flushSync();
    const line = container.querySelector("[aria-current='step'][data-event]");
    expect(line?.getAttribute("data-event")).toBe(String(n));
    expect(container.querySelector("main")?.textContent).not.toMatch(UNSAID);
  }
  expect(container.querySelector("table")).not.toBeNull();
  cleanup();
  table.close();
}

/** Spread over all of them, with another company each time. */
function isDrawn(index: number): boolean {
  return index % (Math.floor(FILMS / DRAWN) | 1) === 0;
}

it(`tells and draws ${FILMS} games without a gap`, { timeout: 3_600_000 }, async () => {
  settings.change({ speed: "instant" });
  await words.need("replay");
  let count = 0;
  let events = 0;
  for await (const replay of films()) {
    await words.speak(LANGUAGES[Math.floor(count / 24) % LANGUAGES.length] ?? "en");
    tell(replay);
    if (isDrawn(count)) draw(replay);
    count += 1;
    events += replay.frames.reduce((sum, frame) => sum + frame.events.length, 0);
  }
  expect(count).toBe(FILMS);
  expect(events).toBeGreaterThan(40 * FILMS);
});
