/** The score sheet of a finished game and the steps of its final scene. The values come from the server. */
import type { CardView, View } from "../wire/types";
import { TYPES, typeName, type Letter } from "./cards";
import type { Result } from "./record";
import type { GameEvent } from "./table.svelte";

export interface SheetRow {
  letter: Letter;
  /** By seat, the values of the cards, highest first. */
  values: number[][];
  coins: number[];
  /** By seat, the Collector's payment for this type; null if the record lacks it. */
  bonus: number[] | null;
}

export interface Sheet {
  seats: number[];
  rows: SheetRow[];
  treasure: number[];
  /** All Collectors together. */
  bonuses: number[];
  servants: number[];
  totals: number[];
  places: number[];
  winners: number[];
}

/** One step of the final scene. */
export type Step =
  | { kind: "turn"; letter: Letter; gains: number[] }
  | { kind: "pay"; letter: Letter; gains: number[] }
  | { kind: "servants"; gains: number[] }
  | { kind: "tie"; rolled: Record<string, number[]> }
  | { kind: "winner" };

export function sheetOf(view: View, winners: readonly number[], result: Result | null): Sheet {
  const collectors = view.seats.filter((seat) => !seat.is_ghost);
  const rows = TYPES.map((letter) => {
    const values = collectors.map((seat) => valuesOf(seat.cards, letter));
    const bonus = result?.breakdown.map((breakdown) => breakdown.collectors[typeName(letter)]) ?? null;
    return { letter, values, coins: values.map(sum), bonus };
  });
  const totals = collectors.map(({ seat }) => result?.scores[seat] ?? view.scores[seat] ?? 0);
  const treasure = collectors.map((_, index) => sum(rows.map((row) => row.coins[index] ?? 0)));
  const servants = collectors.map((seat) => seat.ready);
  return {
    seats: collectors.map(({ seat }) => seat),
    rows,
    treasure,
    bonuses: totals.map((total, index) => total - (treasure[index] ?? 0) - (servants[index] ?? 0)),
    servants,
    totals,
    places: result?.places ?? placesOf(totals, winners),
    winners: [...winners],
  };
}

/** In display order; steps without effect are left out. */
export function stepsOf(sheet: Sheet, events: readonly GameEvent[]): Step[] {
  const turns = sheet.rows
    .filter((row) => row.values.some((values) => values.length))
    .map((row): Step => ({ kind: "turn", letter: row.letter, gains: row.coins }));
  const payments = sheet.rows
    .filter((row) => row.bonus?.some((coins) => coins > 0))
    .map((row): Step => ({ kind: "pay", letter: row.letter, gains: row.bonus ?? [] }));
  const servants: Step[] = sheet.servants.some((dice) => dice > 0)
    ? [{ kind: "servants", gains: sheet.servants }]
    : [];
  const ties = events
    .filter((event) => event.type === "tiebreak")
    .map((event): Step => ({ kind: "tie", rolled: event.rolled }));
  return [...turns, ...payments, ...servants, ...ties, { kind: "winner" }];
}

/** By player, the coins shown up to and including a step; the totals after the last one. */
export function tallyAt(sheet: Sheet, steps: readonly Step[], shownCount: number): number[] {
  if (shownCount >= steps.length) return sheet.totals;
  return sheet.seats.map((_, index) =>
    sum(steps.slice(0, shownCount).map((step) => ("gains" in step ? (step.gains[index] ?? 0) : 0))),
  );
}

/** A proposal for the next game: half of the sides turned over, chosen by a hash of this game. */
export function nextMix(collectors: string, game: string): string {
  const order = TYPES.map((letter, index) => ({ index, weight: mixed(`${letter}${game}`) }));
  order.sort((one, other) => one.weight - other.weight);
  const turned = new Set(order.slice(0, TYPES.length / 2).map(({ index }) => index));
  return Array.from(collectors, (side, index) =>
    turned.has(index) ? (side === "A" ? "B" : "A") : side,
  ).join("");
}

function valuesOf(cards: readonly CardView[], letter: Letter): number[] {
  const mine = cards.filter((card) => card.type === letter).map((card) => card.value ?? 0);
  return mine.sort((one, other) => other - one);
}

function placesOf(totals: readonly number[], winners: readonly number[]): number[] {
  return totals.map((total, seat) => {
    if (winners.includes(seat)) return 1;
    return 1 + totals.filter((other, rival) => winners.includes(rival) || other > total).length;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((whole, number) => whole + number, 0);
}

/** FNV-1a with a final mix: the same value on every device. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
