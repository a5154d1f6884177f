/** Staged dice, for a sentence. */
import { t, type Details } from "../i18n/index.svelte";
import { typeName } from "../state/cards";
import type { View, WirePlacement } from "../wire/types";

export function placeDetails(view: View | null, { slot, dice, effort }: WirePlacement): Details {
  const letter = view?.row[slot]?.card?.type;
  return { dice, effort, on: letter ? t(`term.${typeName(letter)}.on`) : "" };
}
