/** How things stand with the others, where a Collector compares. */
import { t } from "../i18n/index.svelte";
import { TYPES, type Letter } from "../state/cards";
import { bestOfOthers, wishOf, type Side } from "../state/collectors";
import type { ShownTable } from "../state/shown";
import { nameOf } from "./names";

/** Empty where there is nothing to say. */
export function noteOn(table: ShownTable, letter: Letter, side: Side): string {
  const view = table.stage.view;
  if (!view || view.is_solo) return "";
  const others = view.seats.filter(({ seat }) => seat !== table.seat);
  if (letter === "I" && side === "B") {
    const first = view.seats.filter((seat) => seat.won_idols).map(({ seat }) => seat);
    if (table.seat !== null && first.includes(table.seat)) return t("collector.race.won");
    const [winner] = first;
    return winner === undefined ? "" : t("collector.race.over", { name: nameOf(table, winner) });
  }
  if (letter === "T" && side === "A" && table.seat !== null) {
    const count = bestOfOthers(view, table.seat, letter);
    return count === null ? "" : t("collector.rival.coins", { count });
  }
  if (letter === "T" && side === "B") {
    const goal = wishOf(letter, side).steps.at(-1) ?? 0;
    const rival = others.find((seat) => (seat.held[TYPES.indexOf(letter)] ?? 0) >= goal);
    return rival ? t("collector.rival.cards", { name: nameOf(table, rival.seat), count: goal }) : "";
  }
  return "";
}
