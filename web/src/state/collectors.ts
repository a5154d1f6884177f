/** The Collectors' conditions and payments from the generated catalogue. The server computes the payments. */
import { CLAUSES } from "../wire/collectors";
import type { SeatView, View } from "../wire/types";
import { TYPES, type Letter } from "./cards";

export const SIDES = ["A", "B"] as const;
export type Side = (typeof SIDES)[number];

export interface Requirement {
  /** Cards needed at each step; empty if any number counts. */
  steps: readonly number[];
  /** Whether the cards are flipped as payment, so that flipped ones do not count. */
  isPaid?: boolean;
  /** Whether coins are compared instead of cards. */
  isByCoins?: boolean;
}

export type Gift =
  { coins: number } | { verb: "reroll" | "mend" | "peek" | "take" } | { times: number } | { worth: number };

/** One line of a pictogram: a number of cards under a condition and what it pays. */
export interface Clause {
  cards: number;
  isPaid?: boolean;
  /** Whether each card pays. */
  isEach?: boolean;
  when?: "first" | "alone" | "many" | "most";
  gift: Gift;
}

export function isSide(text: string): text is Side {
  return text === "A" || text === "B";
}

/** A Collector's side at a table; `collectors` lists the sides in the order of the types. */
export function sideOf(collectors: string, letter: Letter): Side {
  const side = collectors.charAt(TYPES.indexOf(letter));
  return isSide(side) ? side : "A";
}

export function clausesOf(letter: Letter, side: Side): readonly Clause[] {
  return CLAUSES[`${letter}${side}`];
}

export function requirementOf(letter: Letter, side: Side): Requirement {
  const clauses = clausesOf(letter, side);
  const isByCoins = clauses.some((clause) => clause.when === "most");
  const counted = clauses.filter((clause) => !isByCoins && !clause.isEach);
  return {
    steps: [...new Set(counted.map((clause) => clause.cards))],
    isPaid: clauses.some((clause) => clause.isPaid),
    isByCoins,
  };
}

/** A seat's progress: cards that count, or coins where those are compared. */
export function progressOf(seat: SeatView, letter: Letter, side: Side): number {
  const { isPaid, isByCoins } = requirementOf(letter, side);
  if (isByCoins) return coinsIn(seat, letter);
  return (isPaid ? seat.unflipped : seat.held)[TYPES.indexOf(letter)] ?? 0;
}

/** The highest known number of coins of an opponent in a type; null without opponents. */
export function bestOfOthers(view: View, seat: number, letter: Letter): number | null {
  const others = view.seats.filter((other) => other.seat !== seat && !other.is_ghost);
  return others.length ? Math.max(...others.map((other) => coinsIn(other, letter))) : null;
}

function coinsIn(seat: SeatView, letter: Letter): number {
  return seat.cards.filter((card) => card.type === letter).reduce((sum, card) => sum + (card.value ?? 0), 0);
}
