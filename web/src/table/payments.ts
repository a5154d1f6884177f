/** The own cards that pay for a Reward. */
import type { CardView, View } from "../wire/types";
import { TYPES, type Letter } from "../state/cards";
import { clausesOf, SIDES } from "../state/collectors";

export type Reward = "peek" | "mend" | "take" | "reroll";

interface Price {
  letter: Letter;
  count: number;
}

/** Cards per type that each Reward costs, as in the wire's `flip`. */
export const PRICES = Object.fromEntries(
  TYPES.flatMap((letter) =>
    SIDES.flatMap((side) =>
      clausesOf(letter, side).flatMap(({ cards, gift }) =>
        "verb" in gift ? [[gift.verb, { letter, count: cards }]] : [],
      ),
    ),
  ),
) as Record<Reward, Price>;

/** Cards that can still be flipped: public ones first, then the least valuable. */
export function payersOf(view: View, reward: Reward): CardView[] {
  const mine = view.seat === null ? [] : (view.seats[view.seat]?.cards ?? []);
  return mine
    .filter((card) => card.type === PRICES[reward].letter && !card.is_flipped && card.value !== null)
    .sort(
      (one, other) =>
        Number(other.is_public) - Number(one.is_public) || (one.value ?? 0) - (other.value ?? 0),
    );
}

/** Whether the choice matters: the server identifies cards by value. */
export function isChoice(payers: readonly CardView[], count: number): boolean {
  return payers.length > count && new Set(payers.map((card) => card.value)).size > 1;
}

export function valuesOf(cards: readonly CardView[]): number[] {
  return cards.map((card) => card.value ?? 0).sort((one, other) => one - other);
}

/** A card of this round's row, even after it was taken. */
export function cardOnceAt(view: View, slot: number): CardView | null {
  const there = view.row[slot]?.card;
  if (there) return there;
  const number = (view.round - 1) * view.row.length + slot;
  return view.seats.flatMap((seat) => seat.cards).find((card) => card.number === number) ?? null;
}
