/** The possible values of a face-down card, by exact counting (R11.5). */
import type { CardView } from "../wire/types";
import { valueOf } from "./fractions";
import { worthOf } from "./lens";

export interface Belief {
  value: number;
  /** The number of unseen cards of this value. */
  count: number;
  chance: number;
}

/** By value; empty if the card is known or the table's settings disable card counting. */
export function beliefsOf(card: CardView): Belief[] {
  const odds = card.odds ?? [];
  const all = odds.reduce((sum, count) => sum + count, 0);
  return all ? odds.map((count, index) => ({ value: index + 1, count, chance: count / all })) : [];
}

/** The average in coins; null if unknown. */
export function expectedCoins(card: CardView): number | null {
  const worth = worthOf(card);
  return worth && valueOf(worth.coins);
}
