/** The current player and the available actions. */
import { t } from "../i18n/index.svelte";
import type { ShownTable } from "../state/shown";
import type { View } from "../wire/types";
import { ownNameOf } from "./names";

/** The four phases of a round. */
export const PHASES = ["reveal", "claim", "collect", "pass"] as const;
export type PhaseName = (typeof PHASES)[number];

/** Maps the server's steps to phases. */
const STEPS: Record<string, PhaseName> = {
  reveal: "reveal",
  top: "reveal",
  pottery: "reveal",
  claim: "claim",
  ghost: "claim",
  collect: "collect",
  roll: "collect",
  idol: "collect",
  reroll: "collect",
  torch: "pass",
};

export function phaseOf(step: string): PhaseName | null {
  return STEPS[step] ?? null;
}

/** False while a bot plays for the viewer. */
export function isOwnTurn(table: ShownTable, view: View | null): boolean {
  return view !== null && view.actor !== null && view.actor === table.seat && !table.isPlayedByBot;
}

/** The steps in which a Collector's Reward is offered. */
const OFFERS = ["pottery", "idol", "remains"] as const;

export function turnText(table: ShownTable, view: View): string {
  if (view.phase === "over") return t("page.table.turn.over");
  if (view.phase === "ghost") return t("page.table.turn.ghost");
  if (view.actor === null) return t("page.table.turn.nobody");
  const offer = OFFERS.find((phase) => phase === view.phase);
  const what = offer ?? (view.is_last_turn ? "last" : "claim");
  if (!isOwnTurn(table, view))
    return t(`page.table.turn.${what}.other`, { name: ownNameOf(table, view.actor) });
  const hasNone = !offer && view.seats[view.actor]?.ready === 0;
  return t(hasNone ? "page.table.turn.empty" : `page.table.turn.${what}`);
}
