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
import { movesIn, RecordedTable, viewAfter } from "../src/features/film/recordedTable.svelte";
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
/** Text that no sentence may contain: an unfilled placeholder, a missing key, an empty value. */
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
  return new RecordedTable(companyOf(replay), replay.frames, { speed: () => "instant", isReadOnly: true });
}

/** What the page computes from events (docs/architecture.md, The page): people's dice, and their cards. */
function computedOf({ row, seats }: View) {
  const people = seats.filter((seat) => !seat.is_ghost);
  return people.map(({ seat, ready, exhausted, cards, held, unflipped, has_peeked, won_idols }) => ({
    placed: row
      .filter(({ holder }) => holder === seat)
      .map(({ slot, dice, effort }) => ({ slot, dice, effort })),
    // Of equal cards an event does not say which was flipped; at the end all values are known.
    cards: cards.map((card) => `${card.type}${card.is_flipped ? `${card.value} flipped` : ""}`).sort(),
    ...{ ready, exhausted, held, unflipped, has_peeked, won_idols },
  }));
}

/**
 * Move by move, the page comes to what the rules came to. Where dice were rolled last and a Reward is offered, the server's
 * view is further on than its events.
 */
function checkPatches({ frames }: Replay): void {
  let before: View | null = null;
  for (const events of movesIn(frames)) {
    const last = events.at(-1);
    const final = viewAfter(frames, last?.n ?? 0) as View;
    if (before && last?.type !== "roll") {
      const steps = stepsOf(events, { seat: final.seat, speed: "normal", throwsByHand: false });
      const shown = steps.reduce((view, step) => patched(view, step, final), before);
      const numberedEvents = events.map(({ type }) => type).join(", ");
      expect(computedOf(shown), `after ${numberedEvents} up to event ${last?.n}`).toEqual(computedOf(final));
    }
    before = final;
  }
}

/** Every die has exactly one place (R1.3). */
function checkDice(view: View): void {
  for (const { seat, ready, exhausted } of view.seats) {
    const placed = view.row.filter(({ holder }) => holder === seat).map(({ dice }) => dice);
    const all = placed.reduce((sum, dice) => sum + dice, ready + exhausted);
    if (all !== DICE) throw new Error(`seat ${seat} has ${all} dice`);
  }
}

/** Every card has exactly one place. */
function checkCards(view: View, players: number): void {
  const row = view.row.flatMap(({ card }) => card ?? []);
  const seen = [...row, ...view.seats.flatMap(({ cards }) => cards), ...view.discards];
  const all = new Set(seen.map(({ number }) => number)).size + view.deck;
  if (all !== CARDS[players - 1]) throw new Error(`there are ${all} cards`);
}

/** Checks the sentence and the table of every event. */
function tell(replay: Replay): void {
  const table = tableOf(replay);
  const numberedEvents = { info: table.info, seat: table.seat, events: table.all };
  for (const event of table.all) {
    const sentence = sentenceOf(event, numberedEvents);
    if (sentence === "" || UNSAID.test(sentence)) throw new Error(`${event.type}: "${sentence}"`);
    const view = viewAfter(replay.frames, event.n);
    if (view) checkDice(view);
  }
  for (const { view } of replay.frames) checkCards(view, replay.players);
  table.close();
}

/** Renders the replay at several moments, including the first and the last. */
function draw(replay: Replay): void {
  const player = new Player(tableOf(replay));
  const { table } = player;
  const empty = (() => {}) as never;
  const props = { player, title: "Replay", result: replay.result as never, exit: empty, tools: empty };
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

/** Evenly distributed over all games and companies. */
function isDrawn(index: number): boolean {
  return index % (Math.floor(FILMS / DRAWN) | 1) === 0;
}

it(`tells and draws ${FILMS} games without a gap`, { timeout: 3_600_000 }, async () => {
  settings.change({ speed: "instant" });
  await words.need("replay");
  let count = 0;
  let events = 0;
  for await (const replay of films()) {
    await words.setLanguage(LANGUAGES[Math.floor(count / 24) % LANGUAGES.length] ?? "en");
    tell(replay);
    checkPatches(replay);
    if (isDrawn(count)) draw(replay);
    count += 1;
    events += replay.frames.reduce((sum, frame) => sum + frame.events.length, 0);
  }
  expect(count).toBe(FILMS);
  expect(events).toBeGreaterThan(40 * FILMS);
});
