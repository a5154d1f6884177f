/** The settings of a new table, initialised from the last one. */
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
/** The seat value of an open seat. */
export const PERSON = "";
/** The seat value of a person at this device. */
export const HERE = "@here";
const MAX_PLAYERS = 4;
/** Needs no escaping in an address and is in no bot's name. */
const SEPARATOR = "~";
const KEY = "table";

export function usualChoices() {
  return {
    players: 2,
    sides: TYPES.map((): Side => "A"),
    leader: "random" as Leader,
    /** By seat: a bot's level, a person, or a person at this device. The first is the user's. */
    seats: Array.from({ length: MAX_PLAYERS }, () => PERSON),
    /** By seat, names of people at this device; the first defaults to the user's name. */
    names: Array.from({ length: MAX_PLAYERS }, () => ""),
    clock: "none" as ClockKind,
    pace: "normal" as Pace,
    days: 2,
    isListed: false,
    spectators: true,
    remembers: true,
  };
}
export type Choices = ReturnType<typeof usualChoices>;

/** Random sides, neither all A nor all B. */
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

/** Seats of people at this device, including the first. */
export function seatsHere({ seats, players }: Choices): number[] {
  return seats.flatMap((level, seat) => (seat === 0 || (seat < players && level === HERE) ? [seat] : []));
}

/** A leader's seat outside the table counts as random. */
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

/** The address part of a set-up: the Collectors' sides and the viewer's opponents. */
export function proposalOf(collectors: string, { settings, seats }: TableInfo, own: number | null): string {
  const players = settings.players ?? seats.length;
  const others = Array.from({ length: players - 1 }, (_, index) => seats[((own ?? 0) + index + 1) % players]);
  const levels = others.map((seat) => (seat?.kind === "bot" && seat.level) || PERSON);
  return [collectors, players, ...levels].join(SEPARATOR);
}

/** The choices with a link's proposal applied, if it is valid. */
export function proposed(choices: Choices, proposal: string | null): Choices {
  const [collectors = "", players, ...levels] = proposal?.split(SEPARATOR) ?? [];
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
    choices.seats.length === MAX_PLAYERS &&
    choices.names.length === MAX_PLAYERS;
  return isSound ? choices : usual;
}

export function saveChoices(choices: Choices): void {
  write(KEY, choices);
}
