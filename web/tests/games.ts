/** Tables and views for tests: a small game of three in wire format. */
import type { GameEvent, LiveTable } from "../src/state/table.svelte";
import { Stage } from "../src/state/stage.svelte";
import type { CardView, SeatView, SlotView, View } from "../src/wire/types";

export function card(number: number, text: string, changes: Partial<CardView> = {}): CardView {
  const value = text[1] === "?" ? null : Number(text[1]);
  return {
    number,
    type: text[0] ?? "I",
    value,
    is_public: value !== null,
    is_flipped: false,
    odds: null,
    ...changes,
  };
}

export function slot(number: number, text: string, changes: Partial<SlotView> = {}): SlotView {
  return {
    slot: number,
    card: card(number, text),
    is_down: text[1] === "?",
    holder: null,
    dice: 0,
    effort: 0,
    failed: 0,
    ...changes,
  };
}

export function seat(number: number, changes: Partial<SeatView> = {}): SeatView {
  return {
    seat: number,
    is_ghost: false,
    ready: 3,
    exhausted: 0,
    has_peeked: false,
    cards: [],
    held: [0, 0, 0, 0, 0, 0],
    unflipped: [0, 0, 0, 0, 0, 0],
    won_idols: false,
    ...changes,
  };
}

export function view(changes: Partial<View> = {}): View {
  return {
    seat: 0,
    players: 3,
    is_solo: false,
    collectors: "AAAAAA",
    round: 1,
    rounds: 9,
    phase: "claim",
    actor: 0,
    leader: 0,
    lights_out: 2,
    turn: 0,
    turns: 3,
    is_last_turn: false,
    decisions: 0,
    row: [slot(0, "I4"), slot(1, "T3"), slot(2, "P2"), slot(3, "J?")],
    seats: [seat(0), seat(1), seat(2)],
    deck: 32,
    top: "R",
    discards: [],
    unseen: {},
    actions: [],
    form: null,
    scores: [3, 3, 3],
    ...changes,
  };
}

type Loose<Event> = Event extends unknown ? Omit<Event, "n"> : never;

/** Events with their numbers. */
export function numberedEvents(first: number, ...events: Loose<GameEvent>[]): GameEvent[] {
  return events.map((event, index) => ({ ...event, n: first + index }) as GameEvent);
}

export const REVEAL = {
  type: "reveal",
  round: 1,
  leader: 0,
  row: ["I4", "T3", "P2", "J?"],
  down: [3],
  top: "R",
} as const satisfies Record<string, unknown>;

export function reveal(changes: Record<string, unknown> = {}): Loose<GameEvent> {
  return { ...REVEAL, row: [...REVEAL.row], down: [...REVEAL.down], ...changes } as Loose<GameEvent>;
}

export interface Company {
  seat?: number | null;
  players?: number;
}

/** As much of a table as the log needs. */
export function tableWith(events: GameEvent[], { seat = 0, players = 3 }: Company = {}): LiveTable {
  const names = ["Ada", "Bo", "Cy", "Di"].slice(0, players);
  return {
    events,
    seat,
    view: view(),
    stage: new Stage(),
    info: {
      settings: { players },
      seats: names.map((name) => ({ kind: "person", name })),
    },
  } as unknown as LiveTable;
}
