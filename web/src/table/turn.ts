/** Whose turn it is, and what they may do. */
import { t } from "../i18n/index.svelte";
import type { ShownTable } from "../state/shown";
import type { View } from "../wire/types";
import { ownNameOf } from "./names";

/** The four phases of a round, as people call them. */
export const PHASES = [
  { name: "reveal", term: "reveal" },
  { name: "claim", term: "claim" },
  { name: "collect", term: "collect" },
  { name: "pass", term: "pass" },
] as const;
export type PhaseName = (typeof PHASES)[number]["name"];

/** The server has more steps than the rulebook has phases. */
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

/** Not while a bot plays for whoever looks. */
export function isOwnTurn(table: ShownTable, view: View | null): boolean {
  return view !== null && view.actor !== null && view.actor === table.seat && !table.isPlayedByBot;
}

export function turnText(table: ShownTable, view: View): string {
  if (view.phase === "over") return t("page.table.turn.over");
  const { actor } = view;
  if (view.phase === "ghost") return t("page.table.turn.ghost");
  if (actor === null) return t("page.table.turn.nobody");
  return isOwnTurn(table, view) ? ownTurn(view, actor) : theirTurn(view, ownNameOf(table, actor));
}

function ownTurn(view: View, seat: number): string {
  switch (view.phase) {
    case "pottery":
      return t("page.table.turn.pottery");
    case "idol":
      return t("page.table.turn.idol");
    case "remains":
      return t("page.table.turn.remains");
    default:
      if (view.seats[seat]?.ready === 0) return t("page.table.turn.empty");
      return t(view.is_last_turn ? "page.table.turn.last" : "page.table.turn.claim");
  }
}

function theirTurn(view: View, name: string): string {
  switch (view.phase) {
    case "pottery":
      return t("page.table.turn.pottery.other", { name });
    case "idol":
      return t("page.table.turn.idol.other", { name });
    case "remains":
      return t("page.table.turn.remains.other", { name });
    default:
      return t(view.is_last_turn ? "page.table.turn.last.other" : "page.table.turn.claim.other", { name });
  }
}
