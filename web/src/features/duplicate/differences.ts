/** How far a score is from its seat's average, with its sign. */
import { words } from "../../i18n/index.svelte";

export function differenceText(difference: number): string {
  return new Intl.NumberFormat(words.language, {
    signDisplay: "exceptZero",
    maximumFractionDigits: 1,
  }).format(difference);
}
