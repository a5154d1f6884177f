/** A day's result as text to share; it reveals no card. */
import { t } from "../../i18n/index.svelte";
import { titleText } from "../../state/record";
import { dayText } from "../../state/seal";
import type { DailyTry } from "../../wire/types";

/** A bar for each round, by the number of treasures taken. All fonts have these characters. */
const HEIGHTS = ["▁", "▃", "▅", "█"] as const;

export function pictureOf(taken: readonly number[]): string {
  return taken.map((count) => HEIGHTS[Math.min(count, HEIGHTS.length - 1)]).join(" ");
}

/** Everything but the link. */
export function shareText(day: string, { score, title, taken }: DailyTry): string {
  const coins = t("daily.coins", { count: score ?? 0 });
  return [
    t("daily.share.head", { day: dayText(day) }),
    pictureOf(taken ?? []),
    t("daily.share.score", { coins, title: titleText(title) }),
  ].join("\n");
}
