/** The dice of one throw, grouped by place. */
import { t } from "../i18n/index.svelte";
import { typeName } from "../state/cards";
import type { Step } from "../state/steps";
import type { ShownTable } from "../state/shown";
import type { GhostEvent, RerollEvent, RollEvent, TiebreakEvent } from "../wire/types";
import { nameOf } from "./names";

export interface ThrownGroup {
  key: number;
  heir: number;
  title: string;
  /** The minimum each die must show; null where dice are only counted. */
  effort: number | null;
  faces: readonly number[];
}

export function thrownGroups(step: Step, table: ShownTable): ThrownGroup[] {
  const { event } = step;
  if (event.type === "tiebreak") return tied(event, table);
  const rolls = event.type === "reroll" ? [event] : (step.logged as readonly RollEvent[]);
  return rolls.map((roll) => onCard(roll, table)).filter((group) => group.faces.length > 0);
}

function onCard(roll: RollEvent | RerollEvent, table: ShownTable): ThrownGroup {
  return {
    key: roll.slot,
    heir: roll.seat,
    title: cardName(roll.slot, table),
    effort: roll.effort,
    faces: typeof roll.rolled === "number" ? [roll.rolled] : roll.rolled,
  };
}

function tied(event: TiebreakEvent, table: ShownTable): ThrownGroup[] {
  return Object.entries(event.rolled).map(([seat, faces]) => ({
    key: Number(seat),
    heir: Number(seat),
    title: nameOf(table, Number(seat)),
    effort: null,
    faces,
  }));
}

/** The type of a slot's card by the last reveal: at a re-roll the card is already gone. */
export function cardName(slot: number, table: ShownTable): string {
  const reveal = table.events.findLast(
    (event) => event.type === "reveal" && event.n < table.stage.firstUnshown,
  );
  const card = reveal?.type === "reveal" ? reveal.row[slot] : undefined;
  return card ? t(`term.${typeName(card[0] ?? "")}`) : "";
}

export function fallen(groups: readonly ThrownGroup[]): { dice: number; failed: number } {
  const dice = groups.reduce((sum, group) => sum + group.faces.length, 0);
  const failed = groups.reduce(
    (sum, { effort, faces }) => sum + faces.filter((face) => face < (effort ?? 0)).length,
    0,
  );
  return { dice, failed };
}

export interface GhostGroup {
  effort: number;
  dice: number;
  /** Its target slot; null if it is set aside. */
  slot: number | null;
}

/** Equal dice join: first groups with a target in placing order, then the others from the highest. */
export function ghostGroups(event: GhostEvent): GhostGroup[] {
  const placed = event.place.map(({ slot, dice, effort }) => ({ slot, dice, effort }));
  const aside = [...new Set(event.rolled)]
    .filter((face) => !placed.some((group) => group.effort === face))
    .map((face) => ({
      slot: null,
      dice: event.rolled.filter((other) => other === face).length,
      effort: face,
    }))
    .sort((one, other) => other.dice * other.effort - one.dice * one.effort);
  return [...placed, ...aside];
}
