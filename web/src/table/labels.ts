/** Accessible labels and texts of the table's elements. */
import { because, t, type Details } from "../i18n/index.svelte";
import { isSecret, TYPES, typeName, type Letter } from "../state/cards";
import { bestOfOthers, requirementOf, type Side } from "../state/collectors";
import type { ShownTable } from "../state/shown";
import type { CardView, Reason, SlotView, View, WirePlacement } from "../wire/types";
import { nameOf, ownNameOf } from "./names";

export function cardLabel(card: CardView, isDown = false, viewer: number | null = null): string {
  const type = t(`term.${typeName(card.type)}`);
  if (card.value === null) return t("page.table.card.hidden", { type });
  if (isDown && isSecret(card))
    return t(`page.table.card.${viewer === null ? "covered" : "secret"}`, { type, count: card.value });
  return t("page.table.card.known", { type, count: card.value });
}

/** A niche with everything relevant for a claim. */
export function nicheLabel(
  place: SlotView,
  staged: WirePlacement | undefined,
  name: (seat: number) => string,
  viewer: number | null,
): string {
  const number = place.slot + 1;
  if (!place.card) return t("page.table.niche.gone", { number });
  const sentences = [
    t("page.table.niche", { number, card: cardLabel(place.card, place.is_down, viewer) }),
    holding(place, name, viewer),
  ];
  if (staged)
    sentences.push(
      t("page.table.niche.staged", {
        count: staged.dice,
        effort: staged.effort,
        total: staged.dice * staged.effort,
      }),
    );
  return sentences.join(" ");
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
  const sentences = [t("page.table.dice.ready", { count: ready })];
  if (exhausted > 0) sentences.push(t("page.table.dice.exhausted", { count: exhausted }));
  return sentences.join(" ");
}

/** Staged dice as details of a message. */
export function placeDetails(view: View | null, { slot, dice, effort }: WirePlacement): Details {
  const letter = view?.row[slot]?.card?.type;
  return { dice, effort, on: letter ? t(`term.${typeName(letter)}.on`) : "" };
}

/** Whether some of a seat's coins are hidden. */
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

/** The comparison with opponents for a Collector that compares; empty otherwise. */
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
    const goal = requirementOf(letter, side).steps.at(-1) ?? 0;
    const rival = others.find((seat) => (seat.held[TYPES.indexOf(letter)] ?? 0) >= goal);
    return rival ? t("collector.rival.cards", { name: nameOf(table, rival.seat), count: goal }) : "";
  }
  return "";
}

/** The text of a refused move, with names in place of seat numbers. */
export function refusedAt(table: ShownTable, reason: Reason): string {
  const { actor } = reason.details;
  if (reason.code !== "not_your_turn" || typeof actor !== "number") return because(reason);
  const seat = actor - 1;
  return seat === table.seat
    ? because(reason)
    : t("page.pick.not_your_turn", { name: ownNameOf(table, seat) });
}
