/** What may lie under a face-down card, counted and not guessed (R11.5). */
import type { CardView } from "../wire/types";
import { valueOf } from "./fractions";
import { worthOf } from "./lens";

export interface Belief {
  value: number;
  /** How many cards of this value could be it. */
  count: number;
  chance: number;
}

/** By value; empty where the card is known, or where the table leaves remembering to people. */
export function beliefsOf(card: CardView): Belief[] {
  const odds = card.odds ?? [];
  const all = odds.reduce((sum, count) => sum + count, 0);
  return all ? odds.map((count, index) => ({ value: index + 1, count, chance: count / all })) : [];
}

/** Coins on average; null where nothing can be said. */
export function expectedCoins(card: CardView): number | null {
  const worth = worthOf(card);
  return worth && valueOf(worth.coins);
}
