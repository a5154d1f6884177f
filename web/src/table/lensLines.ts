/** The lens in words: one line for each thing worth knowing. */
import { decimal, percent, t, words } from "../i18n/index.svelte";
import { typeName } from "../state/cards";
import { valueOf } from "../state/fractions";
import { worthOf, type CardLens, type Lens, type Threat } from "../state/lens";
import type { CardView, SlotView } from "../wire/types";

export interface LensLine {
  icon: string;
  text: string;
  /** Told by its sign and words; the colour only helps. */
  mood: "good" | "bad" | "plain";
}

type Names = (seat: number) => string;

export function cardTitle(card: CardView): string {
  const type = t(`term.${typeName(card.type)}`);
  return card.value === null
    ? t("page.pick.card_down", { type })
    : t("page.pick.card", { type, value: card.value });
}

export function worthLine(card: CardView): LensLine {
  const worth = worthOf(card);
  const text = !worth
    ? t("page.lens.worth_unknown")
    : worth.isCertain
      ? t("page.lens.worth", { count: valueOf(worth.coins) })
      : t("page.lens.worth_about", { coins: decimal(valueOf(worth.coins)) });
  return { icon: "star", text, mood: "plain" };
}

/** Of a card that is looked at and not staged: what it would take. */
export function holderLine(slot: SlotView, isGhost: boolean, nameOf: Names): LensLine | null {
  if (slot.holder === null) return null;
  const held = slot.dice * slot.effort;
  const details = { name: nameOf(slot.holder), held, needed: held + 1 };
  return {
    icon: "shield-check",
    text: t(isGhost ? "page.lens.needs_ghost" : "page.lens.needs", details),
    mood: "plain",
  };
}

function pushLine(card: CardLens, isGhost: boolean, nameOf: Names): LensLine | null {
  if (!card.push) return null;
  const details = { name: nameOf(card.push.seat), total: card.push.total, count: card.push.dice };
  return {
    icon: "push",
    text: t(isGhost ? "page.lens.push_ghost" : "page.lens.push", details),
    mood: "good",
  };
}

function riskLine(card: CardLens): LensLine {
  const risk = valueOf(card.risk);
  if (risk === 0) return { icon: "risk", text: t("page.lens.no_risk"), mood: "good" };
  const text = t("page.lens.risk", { count: card.dice, chance: percent(risk) });
  return { icon: "risk", text, mood: "plain" };
}

function keepLine(lens: Lens): LensLine {
  const count = lens.staged;
  const kept = valueOf(lens.kept);
  if (kept === count) return { icon: "die", text: t("page.lens.keep_all", { count }), mood: "good" };
  const chance = percent(valueOf(lens.allSurvive));
  return { icon: "die", text: t("page.lens.keep", { count, kept: decimal(kept), chance }), mood: "plain" };
}

function threatLine(threat: Threat, nameOf: Names): LensLine {
  if (threat.isGhost)
    return { icon: "warning", text: t("page.lens.threat_ghost", { needed: threat.needed }), mood: "bad" };
  const list = new Intl.ListFormat(words.language, { type: "disjunction" });
  const ways = list.format(threat.ways.map((way) => t("page.lens.way", { ...way })));
  return { icon: "warning", text: t("page.lens.threat", { name: nameOf(threat.seat), ways }), mood: "bad" };
}

/** Lines of one staged card; those of the whole claim are in `claimLines`. */
export function cardLines(
  lens: Lens,
  card: CardLens,
  isGhost: (seat: number) => boolean,
  nameOf: Names,
): LensLine[] {
  const safe = lens.hasRivals ? t("page.lens.safe") : t("page.lens.last");
  const threats = card.threats.map((threat) => threatLine(threat, nameOf));
  return [
    card.push && pushLine(card, isGhost(card.push.seat), nameOf),
    riskLine(card),
    ...(threats.length > 0 ? threats : [{ icon: "shield-check", text: safe, mood: "good" } as const]),
  ].filter((line) => line !== null);
}

export function claimLines(lens: Lens): LensLine[] {
  return [keepLine(lens)];
}
