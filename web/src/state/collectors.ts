/** What the Collectors require and give, as the generated catalogue says it. The server pays. */
import { CLAUSES } from "../wire/collectors";
import type { SeatView, View } from "../wire/types";
import { TYPES, type Letter } from "./cards";

export const SIDES = ["A", "B"] as const;
export type Side = (typeof SIDES)[number];

export interface Wish {
  /** How many cards each step asks for; none where any number is welcome. */
  steps: readonly number[];
  /** Whether the cards are flipped for it, so that flipped ones do not count. */
  isPaid?: boolean;
  /** Whether coins are compared, not cards. */
  isByCoins?: boolean;
}

export type Gift =
  { coins: number } | { verb: "reroll" | "mend" | "peek" | "take" } | { times: number } | { worth: number };

/** One line of a pictogram: so many cards, on a condition, bring something. */
export interface Clause {
  cards: number;
  isPaid?: boolean;
  /** Whether every card brings it. */
  isEach?: boolean;
  when?: "first" | "alone" | "many" | "most";
  gift: Gift;
}

export function isSide(text: string): text is Side {
  return text === "A" || text === "B";
}

/** Which side lies at a table with these sides, written in the order of the types. */
export function sideOf(collectors: string, letter: Letter): Side {
  const side = collectors.charAt(TYPES.indexOf(letter));
  return isSide(side) ? side : "A";
}

export function clausesOf(letter: Letter, side: Side): readonly Clause[] {
  return CLAUSES[`${letter}${side}`];
}

export function wishOf(letter: Letter, side: Side): Wish {
  const clauses = clausesOf(letter, side);
  const isByCoins = clauses.some((clause) => clause.when === "most");
  const counted = clauses.filter((clause) => !isByCoins && !clause.isEach);
  return {
    steps: [...new Set(counted.map((clause) => clause.cards))],
    isPaid: clauses.some((clause) => clause.isPaid),
    isByCoins,
  };
}

/** How far somebody is: cards that count, or coins where those are compared. */
export function progressOf(seat: SeatView, letter: Letter, side: Side): number {
  const { isPaid, isByCoins } = wishOf(letter, side);
  if (isByCoins) return coinsIn(seat, letter);
  return (isPaid ? seat.unflipped : seat.held)[TYPES.indexOf(letter)] ?? 0;
}

/** The most coins that an opponent of this seat is known to have in a type; null without opponents who collect. */
export function bestOfOthers(view: View, seat: number, letter: Letter): number | null {
  const others = view.seats.filter((other) => other.seat !== seat && !other.is_ghost);
  return others.length ? Math.max(...others.map((other) => coinsIn(other, letter))) : null;
}

function coinsIn(seat: SeatView, letter: Letter): number {
  return seat.cards.filter((card) => card.type === letter).reduce((sum, card) => sum + (card.value ?? 0), 0);
}
