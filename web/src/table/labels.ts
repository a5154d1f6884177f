/** What is on the table, in words for those who listen. */
import { t } from "../i18n/index.svelte";
import { isSecret, typeName } from "../state/cards";
import type { CardView, SlotView, WirePlacement } from "../wire/types";

export function cardLabel(card: CardView, isDown = false, viewer: number | null = null): string {
  const type = t(`term.${typeName(card.type)}`);
  if (card.value === null) return t("page.table.card.hidden", { type });
  if (isDown && isSecret(card))
    return t(`page.table.card.${viewer === null ? "covered" : "secret"}`, { type, count: card.value });
  return t("page.table.card.known", { type, count: card.value });
}

/** A niche with all that matters for a claim. */
export function nicheLabel(
  place: SlotView,
  staged: WirePlacement | undefined,
  name: (seat: number) => string,
  viewer: number | null,
): string {
  const number = place.slot + 1;
  if (!place.card) return t("page.table.niche.gone", { number });
  const said = [
    t("page.table.niche", { number, card: cardLabel(place.card, place.is_down, viewer) }),
    holding(place, name, viewer),
  ];
  if (staged)
    said.push(
      t("page.table.niche.staged", {
        count: staged.dice,
        effort: staged.effort,
        total: staged.dice * staged.effort,
      }),
    );
  return said.join(" ");
}

function holding(place: SlotView, name: (seat: number) => string, viewer: number | null): string {
  if (place.holder === null) return t("page.table.niche.free");
  const details = { count: place.dice, effort: place.effort, total: place.dice * place.effort };
  return place.holder === viewer
    ? t("page.table.niche.yours", details)
    : t("page.table.niche.held", { ...details, name: name(place.holder) });
}

/** A heir's dice. */
export function diceLabel(ready: number, exhausted: number): string {
  const said = [t("page.table.dice.ready", { count: ready })];
  if (exhausted > 0) said.push(t("page.table.dice.exhausted", { count: exhausted }));
  return said.join(" ");
}
