/** Why the server refused a move, with people by their names: a refusal knows only the numbers of their seats. */
import { because, t } from "../i18n/index.svelte";
import type { ShownTable } from "../state/shown";
import type { Reason } from "../wire/types";
import { ownNameOf } from "./names";

export function refusedAt(table: ShownTable, reason: Reason): string {
  const { actor } = reason.details;
  if (reason.code !== "not_your_turn" || typeof actor !== "number") return because(reason);
  const seat = actor - 1;
  return seat === table.seat
    ? because(reason)
    : t("page.pick.not_your_turn", { name: ownNameOf(table, seat) });
}
