/** Cards of the wire format: a letter for the type, a value if known. */
import type { CardView } from "../wire/types";

/** The six types in the order of the rulebook and the notation. */
export const TYPES = ["I", "J", "M", "P", "R", "T"] as const;
export type Letter = (typeof TYPES)[number];

const NAMES = {
  I: "idol",
  J: "jewelry",
  M: "manuscript",
  P: "pottery",
  R: "remains",
  T: "tapestry",
} as const;
export type TypeName = (typeof NAMES)[Letter];

export function isLetter(text: string): text is Letter {
  return text in NAMES;
}

export function typeName(letter: string): TypeName {
  if (!isLetter(letter)) throw new Error(`No type of treasure is written ${letter}.`);
  return NAMES[letter];
}

/** The style sheets' colour variable of a type. */
export function typeColour(letter: string): string {
  return `var(--${typeName(letter)})`;
}

/** The card's picture: its treasure, or a closed vault if face-down. */
export function pictureOf(card: CardView, isDown = false): string {
  return isDown || card.value === null
    ? `vault-${typeName(card.type)}`
    : `${typeName(card.type)}-${card.value}`;
}

/** Whether only the viewer knows the card's value. */
export function isSecret(card: CardView): boolean {
  return card.value !== null && !card.is_public;
}

export interface Group {
  letter: Letter;
  cards: CardView[];
}

/** A collection grouped by type; types without cards are left out. */
export function groupsOf(cards: readonly CardView[]): Group[] {
  return TYPES.map((letter) => ({ letter, cards: cards.filter((card) => card.type === letter) })).filter(
    (group) => group.cards.length > 0,
  );
}

/** The value of the cards known only to the viewer. */
export function secretCoins(cards: readonly CardView[]): number {
  return cards.filter(isSecret).reduce((sum, card) => sum + (card.value ?? 0), 0);
}
