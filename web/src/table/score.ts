/** Coins as far as the viewer can count them. */
import { t } from "../i18n/index.svelte";
import type { View } from "../wire/types";

/** Whether some of a seat's coins are not to be seen. */
function hasUnknown(view: View, seat: number): boolean {
  return view.seats[seat]?.cards.some((card) => card.value === null) ?? false;
}

export function scoreText(view: View, seat: number): string {
  const score = view.scores[seat];
  if (score == null) return t("page.table.unknown");
  return hasUnknown(view, seat)
    ? t("page.table.score.at_least", { score })
    : t("page.table.score", { score });
}

export function scoreLabel(view: View, seat: number): string {
  const count = view.scores[seat];
  if (count == null) return t("page.table.score.unknown_words");
  return hasUnknown(view, seat)
    ? t("page.table.score.at_least_words", { count })
    : t("page.table.score.words", { count });
}
