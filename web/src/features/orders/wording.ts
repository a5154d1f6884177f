/** Standing orders as text. */
import { list, t } from "../../i18n/index.svelte";
import { typeName } from "../../state/cards";
import type { SlotView, WireAction, WireOrder, When } from "../../wire/types";

export type Row = readonly SlotView[];

/** Conditions in display order; some are about a card, some may be. */
export const CASES = [
  { name: "always", when: "always", needsCard: false },
  { name: "pushed_off_any", when: "pushed_off", needsCard: false },
  { name: "pushed_off", when: "pushed_off", needsCard: true },
  { name: "not_pushed_off_any", when: "not_pushed_off", needsCard: false },
  { name: "free", when: "free", needsCard: true },
  { name: "held", when: "held", needsCard: true },
] as const satisfies { name: string; when: When; needsCard: boolean }[];
export type Case = (typeof CASES)[number]["name"];

export function cardName(row: Row, slot: number): string {
  const place = row[slot];
  const number = slot + 1;
  if (!place?.card) return t("orders.card_gone", { number });
  const type = t(`term.${typeName(place.card.type)}`);
  if (place.is_down || place.card.value === null) return t("orders.card_down", { type, number });
  return t("orders.card", { type, value: place.card.value, number });
}

function caseText(row: Row, { when, slot }: WireOrder): string {
  if (when === "always") return t("orders.when.always");
  if (slot == null) {
    return t(when === "not_pushed_off" ? "orders.when.not_pushed_off_any" : "orders.when.pushed_off_any");
  }
  return t(`orders.when.${when}`, { card: cardName(row, slot) });
}

function actionText(row: Row, action: WireAction): string {
  if (action.do !== "claim") return t(action.do === "decline" ? "orders.do.decline" : "orders.do.recover");
  const claims = (action.place ?? []).map(({ slot, dice, effort }) =>
    t("orders.claim", { card: cardName(row, slot), dice, effort }),
  );
  return t("orders.do.claim", { claims: list(claims) });
}

export function sentenceOf(row: Row, order: WireOrder): string {
  return t("orders.sentence", { when: caseText(row, order), what: actionText(row, order.action) });
}
