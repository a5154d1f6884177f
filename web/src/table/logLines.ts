/** The log's lines: filtered and grouped by round. */
import type { GameEvent } from "../state/table.svelte";

export const FILTERS = ["all", "mine", "rolls", "collections"] as const;
export type Filter = (typeof FILTERS)[number];

export interface ConnectionState {
  event: GameEvent;
  round: number;
}
export interface RoundOfLines {
  round: number;
  events: GameEvent[];
}

/** All events before the first one not yet shown. */
export function linesOf(events: readonly GameEvent[], firstUnshown: number): ConnectionState[] {
  const lines: ConnectionState[] = [];
  let round = 0;
  for (const event of events) {
    if (event.n >= firstUnshown) break;
    if (event.type === "reveal") round = event.round;
    lines.push({ event, round });
  }
  return lines;
}

const ROLLS: readonly GameEvent["type"][] = ["roll", "reroll", "ghost", "tiebreak"];
const COLLECTIONS: readonly GameEvent["type"][] = ["collect", "take", "idols", "reveal"];

export function isShown(event: GameEvent, filter: Filter, seat: number | null): boolean {
  switch (filter) {
    case "all":
      return true;
    case "rolls":
      return ROLLS.includes(event.type);
    case "collections":
      return COLLECTIONS.includes(event.type);
    case "mine":
      return seat !== null && seatsOf(event).includes(seat);
  }
}

/** The seats that an event concerns. */
function seatsOf(event: GameEvent): number[] {
  if (event.type === "idols") return Object.keys(event.flips).map(Number);
  if (event.type === "tiebreak") return Object.keys(event.rolled).map(Number);
  if (event.type === "end") return event.scores.map((_, seat) => seat);
  return "seat" in event ? [event.seat] : [];
}

export function roundsOf(lines: readonly ConnectionState[]): RoundOfLines[] {
  const rounds: RoundOfLines[] = [];
  for (const { event, round } of lines) {
    const last = rounds.at(-1);
    if (last?.round === round) last.events.push(event);
    else rounds.push({ round, events: [event] });
  }
  return rounds;
}

/** The icon of a line: the heir's arms, the Ghost, or the topic. */
export function signOf(event: GameEvent): string {
  if ("seat" in event) return `heir-${event.seat}`;
  switch (event.type) {
    case "ghost":
      return "ghost-seal";
    case "reveal":
      return "icon-door";
    case "end":
      return "crown";
    default:
      return "icon-die";
  }
}

/** The summary of many events at once: the viewer's rolls and the result. */
export function highlights(recent: readonly GameEvent[], seat: number | null, most: number): GameEvent[] {
  if (recent.length <= most) return [...recent];
  const own = recent.slice(0, -1).filter((event) => seat !== null && seatsOf(event).includes(seat));
  const rolls = own.filter((event) => ROLLS.includes(event.type));
  return [...rolls.slice(-(most - 1)), ...recent.slice(-1)];
}
