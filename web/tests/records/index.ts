/** Games that the server's engine played with committed chance (`royalcrypt verify` finds them fair). */
import type { GameRecord } from "../../src/state/record";
import type { CardView, SeatView, View } from "../../src/wire/types";

const files = import.meta.glob<GameRecord>("./*.json", { import: "default", eager: true });

export const NAMES = Object.keys(files).map((path) => path.slice(2, -5));

/** A copy that the test may modify. */
export function loaded(name: string): GameRecord {
  const found = files[`./${name}.json`];
  if (!found) throw new Error(`No record is called ${name}.`);
  return structuredClone(found);
}

/** Collections and dice at the end of a recorded game. */
export function lastView(record: GameRecord): View {
  const collections = record.game.seats.map((): string[] => []);
  let current: string[] = [];
  for (const event of record.events) {
    if (event.type === "reveal") current = event.row;
    if (event.type === "collect") collections[event.seat]?.push(...event.cards);
    if (event.type === "take") collections[event.seat]?.push(current[event.slot] ?? "");
  }
  const seats = collections.map((cards, seat): SeatView => ({
    seat,
    is_ghost: false,
    ready: record.result?.breakdown[seat]?.servants ?? 0,
    exhausted: 0,
    has_peeked: false,
    cards: cards.map(cardView),
    held: [],
    unflipped: [],
    won_idols: false,
  }));
  const { players, collectors } = record.game;
  const scores = record.result?.scores ?? [];
  return { seats, scores, collectors, players, is_solo: players === 1, phase: "over" } as unknown as View;
}

function cardView(text: string, number: number): CardView {
  const [type = "I", value = "1"] = text;
  return { number, type, value: Number(value), is_public: true, is_flipped: false, odds: null };
}
