/** The claim's risks and benefits as lines of text. */
import { decimal, either, list, percent, t } from "../i18n/index.svelte";
import { valueOf } from "../state/fractions";
import { worthOf, type CardLens, type Lens, type Threat, type Way } from "../state/lens";
import type { CardView, SlotView } from "../wire/types";

export interface LensLine {
  icon: string;
  text: string;
  /** Shown by sign and text; colour only repeats it. */
  mood: "good" | "bad" | "plain";
}

/** Functions that name people. */
export interface People {
  nameOf: (seat: number) => string;
  isGhost: (seat: number) => boolean;
}

/** A card's worth, as a figure and as a sentence. */
export function worthOfCard(card: CardView): { figure: string; text: string } {
  const worth = worthOf(card);
  if (!worth) return { figure: t("page.pick.coins_unknown"), text: t("page.lens.worth_unknown") };
  const coins = valueOf(worth.coins);
  return worth.isCertain
    ? { figure: t("page.pick.coins", { coins }), text: t("page.lens.worth", { count: coins }) }
    : {
        figure: t("page.pick.coins_about", { coins: decimal(coins) }),
        text: t("page.lens.worth_about", { coins: decimal(coins) }),
      };
}

/** For a selected card that is not staged: what a claim needs. */
export function holderLine(slot: SlotView, people: People): LensLine | null {
  if (slot.holder === null) return null;
  const held = slot.dice * slot.effort;
  const key = people.isGhost(slot.holder) ? "page.lens.needs_ghost" : "page.lens.needs";
  const details = { name: people.nameOf(slot.holder), held, needed: held + 1 };
  return { icon: "shield-check", text: t(key, details), mood: "plain" };
}

function pushLines({ push }: CardLens, people: People): LensLine[] {
  if (!push) return [];
  const key = people.isGhost(push.seat) ? "page.lens.push_ghost" : "page.lens.push";
  const details = { name: people.nameOf(push.seat), total: push.total, count: push.dice };
  return [{ icon: "push", text: t(key, details), mood: "good" }];
}

/** A single line if there is no risk. */
function riskLines(lens: Lens, card: CardLens | null): LensLine[] {
  const count = lens.staged;
  const kept = valueOf(lens.kept);
  if (kept === count) return [{ icon: "die", text: t("page.lens.keep_all", { count }), mood: "good" }];
  const lines: LensLine[] = [];
  if (card) {
    const risk = valueOf(card.risk);
    const text =
      risk > 0 ? t("page.lens.risk", { count: card.dice, chance: percent(risk) }) : t("page.lens.no_risk");
    lines.push({ icon: "risk", text, mood: risk > 0 ? "plain" : "good" });
  }
  const chance = percent(valueOf(lens.allSurvive));
  lines.push({
    icon: "die",
    text: t("page.lens.keep", { count, kept: decimal(kept), chance }),
    mood: "plain",
  });
  return lines;
}

function waysText(ways: readonly Way[]): string {
  return either(ways.map((way) => t("page.lens.way", { ...way })));
}

/** Opponents with the same ways share a line. */
function threatLines(threats: readonly Threat[], people: People): LensLine[] {
  const alike = new Map<string, string[]>();
  const lines: LensLine[] = [];
  for (const threat of threats) {
    if (threat.isGhost) {
      lines.push({
        icon: "warning",
        text: t("page.lens.threat_ghost", { needed: threat.needed }),
        mood: "bad",
      });
      continue;
    }
    const ways = waysText(threat.ways);
    alike.set(ways, [...(alike.get(ways) ?? []), people.nameOf(threat.seat)]);
  }
  for (const [ways, names] of alike) {
    const text = t("page.lens.threat", { count: names.length, names: list(names), ways });
    lines.push({ icon: "warning", text, mood: "bad" });
  }
  return lines;
}

/** All lines about a claim, the selected card's first. */
export function linesOf(lens: Lens, card: CardLens | null, people: People): LensLine[] {
  if (!card) return riskLines(lens, null);
  const threats = threatLines(card.threats, people);
  const safe = t(lens.hasRivals ? "page.lens.safe" : "page.lens.last");
  return [
    ...pushLines(card, people),
    ...(threats.length > 0 ? threats : [{ icon: "shield-check", text: safe, mood: "good" } as const]),
    ...riskLines(lens, card),
  ];
}
