/** A table as somebody is about to open it; what they chose last time is where they begin. */
import type { TableInfo, TableSettings } from "../wire/types";
import { TYPES } from "./cards";
import { read, write } from "./storage";

export type Side = "A" | "B" | "?";
export type ClockKind = "none" | "live" | "days";
export type Leader = "random" | number;

export const SIDES: readonly Side[] = ["A", "B", "?"];
export const PACES = {
  quick: { move: 30, bank: 120 },
  normal: { move: 45, bank: 180 },
  calm: { move: 90, bank: 600 },
} as const;
export type Pace = keyof typeof PACES;
export const DAYS = [1, 2, 3, 7] as const;
/** The seat of nobody yet: a person is expected. */
export const PERSON = "";
/** The seat of somebody who shares this device. */
export const HERE = "@here";
const MOST_PLAYERS = 4;
/** Stands as it is in an address, and in no name of a bot. */
const BETWEEN = "~";
const KEY = "table";

export function usualChoices() {
  return {
    players: 2,
    sides: TYPES.map((): Side => "A"),
    leader: "random" as Leader,
    /** By seat: a bot's level, a person, or somebody at this device. The first is one's own. */
    seats: Array.from({ length: MOST_PLAYERS }, () => PERSON),
    /** By seat, what those at this device are called; the first is one's own name unless another is given. */
    names: Array.from({ length: MOST_PLAYERS }, () => ""),
    clock: "none" as ClockKind,
    pace: "normal" as Pace,
    days: 2,
    isListed: false,
    spectators: true,
    remembers: true,
  };
}
export type Choices = ReturnType<typeof usualChoices>;

/** A mix that differs from all A and from all B. */
export function mixedSides(): Side[] {
  for (;;) {
    const sides = TYPES.map((): Side => (Math.random() < 0.5 ? "A" : "B"));
    if (new Set(sides).size > 1) return sides;
  }
}

export function sidesOfPreset(preset: string): Side[] {
  if (preset === "mix") return mixedSides();
  return TYPES.map(() => (preset === "A" || preset === "B" ? preset : "?"));
}

export function presetOf(sides: readonly Side[]): "A" | "B" | "?" | "mix" {
  const [first = "A"] = sides;
  return sides.every((side) => side === first) ? first : "mix";
}

export function isFull(choices: Choices): boolean {
  return choices.seats.slice(1, choices.players).every((seat) => seat !== PERSON);
}

/** Seats of those who share this device; the first is always one of them. */
export function seatsHere({ seats, players }: Choices): number[] {
  return seats.flatMap((level, seat) => (seat === 0 || (seat < players && level === HERE) ? [seat] : []));
}

/** A seat that is not at the table leads nothing. */
export function leaderOf({ leader, players }: Choices): Leader {
  return typeof leader === "number" && leader < players ? leader : "random";
}

export function settingsOf(choices: Choices): TableSettings {
  const { players } = choices;
  const isAlone = players === 1;
  const bots = choices.seats
    .map((level, seat) => ({ seat, level }))
    .filter(({ seat, level }) => seat > 0 && seat < players && level !== PERSON && level !== HERE);
  return {
    players,
    collectors: choices.sides.join(""),
    leader: leaderOf(choices),
    bots,
    clock: isFull(choices) ? null : clockOf(choices),
    is_listed: !isFull(choices) && choices.isListed,
    spectators: !isAlone && choices.spectators,
    remembers: choices.remembers,
  };
}

function clockOf(choices: Choices): NonNullable<TableSettings["clock"]> | null {
  switch (choices.clock) {
    case "none":
      return null;
    case "live":
      return { kind: "live", ...PACES[choices.pace] };
    case "days":
      return { kind: "days", days: choices.days };
  }
}

/** What a link to the set-up proposes: sides of the Collectors, and with whom the viewer played. */
export function proposalOf(collectors: string, { settings, seats }: TableInfo, own: number | null): string {
  const players = settings.players ?? seats.length;
  const others = Array.from({ length: players - 1 }, (_, index) => seats[((own ?? 0) + index + 1) % players]);
  const levels = others.map((seat) => (seat?.kind === "bot" && seat.level) || PERSON);
  return [collectors, players, ...levels].join(BETWEEN);
}

/** With what a link proposes, if it makes sense. */
export function proposed(choices: Choices, proposal: string | null): Choices {
  const [collectors = "", players, ...levels] = proposal?.split(BETWEEN) ?? [];
  if (!new RegExp(`^[AB]{${TYPES.length}}$`).test(collectors)) return choices;
  const sides = [...collectors] as Side[];
  if (!players || !/^[1-4]$/.test(players) || levels.length !== Number(players) - 1) {
    return { ...choices, sides };
  }
  const seats = usualChoices().seats.map((usual, seat) => levels[seat - 1] ?? usual);
  return { ...choices, sides, players: Number(players), seats };
}

export function loadChoices(): Choices {
  const usual = usualChoices();
  const choices = { ...usual, ...read<Partial<Choices>>(KEY, {}) };
  const isSound =
    choices.sides.length === TYPES.length &&
    choices.seats.length === MOST_PLAYERS &&
    choices.names.length === MOST_PLAYERS;
  return isSound ? choices : usual;
}

export function keepChoices(choices: Choices): void {
  write(KEY, choices);
}
