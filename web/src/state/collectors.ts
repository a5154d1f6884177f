/** What the Collectors ask for, as far as it is drawn: how many cards, and what comes of it. The server pays. */
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

const WISHES: Record<Letter, Record<Side, Wish>> = {
  I: { A: { steps: [1], isPaid: true }, B: { steps: [2] } },
  J: { A: { steps: [2] }, B: { steps: [] } },
  M: { A: { steps: [2] }, B: { steps: [1], isPaid: true } },
  P: { A: { steps: [2, 3, 4] }, B: { steps: [2], isPaid: true } },
  R: { A: { steps: [2], isPaid: true }, B: { steps: [4] } },
  T: { A: { steps: [], isByCoins: true }, B: { steps: [3] } },
};

export type Gift =
  | { coins: number }
  | { sign: "reroll" | "recover" | "look" | "take" }
  | { times: number }
  | { worth: number };

/** One line of a pictogram: so many cards, on a condition, bring something. */
export interface Clause {
  cards: number;
  isPaid?: boolean;
  when?: "first" | "alone" | "many" | "most";
  gift: Gift;
}

export const PICTOGRAMS: Record<Letter, Record<Side, readonly Clause[]>> = {
  I: {
    A: [{ cards: 1, isPaid: true, gift: { sign: "reroll" } }],
    B: [
      { cards: 2, when: "first", gift: { coins: 5 } },
      { cards: 2, gift: { coins: 2 } },
    ],
  },
  J: { A: [{ cards: 2, gift: { times: 2 } }], B: [{ cards: 1, gift: { coins: 1 } }] },
  M: { A: [{ cards: 2, gift: { worth: 4 } }], B: [{ cards: 1, isPaid: true, gift: { sign: "look" } }] },
  P: {
    A: [
      { cards: 2, gift: { coins: 2 } },
      { cards: 3, gift: { coins: 4 } },
      { cards: 4, gift: { coins: 8 } },
    ],
    B: [{ cards: 2, isPaid: true, gift: { sign: "take" } }],
  },
  R: { A: [{ cards: 2, isPaid: true, gift: { sign: "recover" } }], B: [{ cards: 4, gift: { coins: 10 } }] },
  T: {
    A: [{ cards: 1, when: "most", gift: { coins: 5 } }],
    B: [
      { cards: 3, when: "alone", gift: { coins: 7 } },
      { cards: 3, when: "many", gift: { coins: 4 } },
    ],
  },
};

export function isSide(text: string): text is Side {
  return text === "A" || text === "B";
}

/** Which side lies at a table with these sides, written in the order of the types. */
export function sideOf(collectors: string, letter: Letter): Side {
  const side = collectors.charAt(TYPES.indexOf(letter));
  return isSide(side) ? side : "A";
}

export function wishOf(letter: Letter, side: Side): Wish {
  return WISHES[letter][side];
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
