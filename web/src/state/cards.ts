/** Cards as the wire tells them: a letter for the type, a value where it is known. */
import type { CardView } from "../wire/types";

/** The six types in the order of the rulebook, as the notation writes them. */
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

/** The role of the type's colour in the style sheets. */
export function typeColour(letter: string): string {
  return `var(--${typeName(letter)})`;
}

/** Which picture a card shows: the treasure itself, or the vault of a card that nobody turned. */
export function pictureOf(card: CardView, isDown = false): string {
  return isDown || card.value === null
    ? `vault-${typeName(card.type)}`
    : `${typeName(card.type)}-${card.value}`;
}

/** Whether the viewer alone knows what the card is worth. */
export function isSecret(card: CardView): boolean {
  return card.value !== null && !card.is_public;
}

export interface Group {
  letter: Letter;
  cards: CardView[];
}

/** A collection in columns: the types of which there is a card, in order. */
export function groupsOf(cards: readonly CardView[]): Group[] {
  return TYPES.map((letter) => ({ letter, cards: cards.filter((card) => card.type === letter) })).filter(
    (group) => group.cards.length > 0,
  );
}

/** What the cards are worth that only the viewer knows. */
export function secretCoins(cards: readonly CardView[]): number {
  return cards.filter(isSecret).reduce((sum, card) => sum + (card.value ?? 0), 0);
}
