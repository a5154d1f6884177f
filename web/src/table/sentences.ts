/** Events as sentences. */
import { untrack } from "svelte";
import { list, t, type Key } from "../i18n/index.svelte";
import { typeName } from "../state/cards";
import type { LogContext } from "../state/shown";
import type { GameEvent } from "../state/table.svelte";
import type {
  ClaimEvent,
  EndEvent,
  GhostEvent,
  RollEvent,
  TiebreakEvent,
  WirePlacement,
} from "../wire/types";
import { nameOf, sharersOf } from "./names";
import { roundBefore, type RoundState } from "./rounds";

/** A sentence's subject; each has its own message. */
type Person = "you" | "other" | "ghost";

export function sentenceOf(event: GameEvent, table: LogContext): string {
  const so = untrack(() => roundBefore(event, table.events));
  const seat = "seat" in event ? event.seat : "leader" in event ? event.leader : 0;
  const person = playerOf(table, seat);
  const name = nameOf(table, seat);
  switch (event.type) {
    case "reveal": {
      const cards = event.row.map((card, slot) =>
        event.down.includes(slot) ? written("log.card.down", card) : cardText(card),
      );
      return t(`log.reveal.${personOf(table, seat)}`, { name, cards: list(cards) });
    }
    case "claim":
      return claimSentence(event, table, so);
    case "ghost":
      return ghostSentence(event, table, so);
    case "recover":
      if (event.dice === 0) return t(`log.pass.${person}`, { name });
      return t(`log.recover.${person}`, { name, count: event.dice });
    case "rally":
      return t(`log.rally.${person}`, { name, count: event.dice });
    case "take": {
      const type = typeName(so.row[event.slot]?.[0] ?? "");
      return t(`log.take.${person}`, { name, flips: cardList(event.flip), card: t(`term.${type}.the`) });
    }
    case "peek":
      return t(`log.peek.${person}`, { name, flips: cardList(event.flip), count: so.down.length });
    case "mend":
      return t(`log.mend.${person}`, { name, flips: cardList(event.flip) });
    case "roll":
      return rollSentence(event, table, so);
    case "reroll": {
      const result = event.rolled < event.effort ? "fails" : "holds";
      const details = { flips: cardList(event.flip), on: onText(event.slot, so), face: event.rolled };
      return t(`log.reroll_${result}.${person}`, { name, ...details });
    }
    case "collect": {
      const slots = so.slotsOf(event.seat);
      const cards = event.cards.map((card, index) => {
        const wasDown = so.down.includes(slots[index] ?? -1);
        return wasDown && person === "you" ? written("log.card.secret", card) : cardText(card);
      });
      return t(`log.collect.${person}`, { name, cards: list(cards) });
    }
    case "idols":
      return sentences(
        Object.entries(event.flips).map(([seat, cards]) => {
          const details = { name: nameOf(table, Number(seat)), flips: cardList(cards) };
          return t(`log.idols.${playerOf(table, Number(seat))}`, details);
        }),
      );
    case "tiebreak":
      return sentences([t("log.tiebreak"), ...tiebreakRolls(event.rolled, table)]);
    case "end":
      return endSentence(event, table);
  }
}

function personOf(table: LogContext, seat: number): Person {
  if (seat === table.seat) return "you";
  return table.info?.settings.players === 1 && seat > 0 ? "ghost" : "other";
}

/** For events that the Ghost never causes. */
function playerOf(table: LogContext, seat: number): "you" | "other" {
  return seat === table.seat ? "you" : "other";
}

function claimSentence(event: ClaimEvent, table: LogContext, so: RoundState): string {
  const person = playerOf(table, event.seat);
  const verb = event.last ? "claim_last" : "claim";
  const details = { name: nameOf(table, event.seat), placements: placementList(event.place, so) };
  return sentences([t(`log.${verb}.${person}`, details), ...pushed(event.place, table, so)]);
}

function ghostSentence(event: GhostEvent, table: LogContext, so: RoundState): string {
  const rolls = t(event.last ? "log.ghost_last" : "log.ghost", { faces: faceList(event.rolled) });
  if (event.place.length === 0) return sentences([rolls, t("log.ghost_sulks")]);
  const aside = event.rolled.length - event.place.reduce((sum, { dice }) => sum + dice, 0);
  return sentences([
    rolls,
    t("log.ghost_places", { placements: placementList(event.place, so) }),
    ...pushed(event.place, table, so),
    ...(aside > 0 ? [t("log.ghost_aside", { count: aside })] : []),
  ]);
}

function rollSentence(event: RollEvent, table: LogContext, so: RoundState): string {
  const person = playerOf(table, event.seat);
  const details = {
    name: nameOf(table, event.seat),
    on: onText(event.slot, so),
    faces: faceList(event.rolled),
    effort: event.effort,
  };
  const failed = event.rolled.filter((face) => face < event.effort).length;
  if (event.rolled.length === 0)
    return t(`log.roll_safe.${person}`, { ...details, count: so.held.get(event.slot)?.dice ?? 1 });
  if (failed > 0) return t(`log.roll_fails.${person}`, { ...details, count: failed });
  return t(`log.roll_holds.${person}`, { ...details, count: event.rolled.length });
}

export function tiebreakRolls(rolled: TiebreakEvent["rolled"], table: LogContext): string[] {
  return Object.entries(rolled).map(([seat, faces]) => {
    const person = playerOf(table, Number(seat));
    const name = nameOf(table, Number(seat));
    if (faces.length === 0) return t(`log.tiebreak_none.${person}`, { name });
    const total = faces.reduce((sum, face) => sum + face, 0);
    return t(`log.tiebreak_roll.${person}`, { name, faces: faceList(faces), total });
  });
}

function endSentence(event: EndEvent, table: LogContext): string {
  const [winner, ...others] = event.winners;
  const count = event.scores[winner ?? 0] ?? 0;
  if (event.scores.length === 1 && table.seat !== null) return t("log.end_solo", { count });
  if (winner === undefined || others.length > 0) {
    const { person, names } = sharersOf(table, event.winners);
    return t(`log.end_shared.${person}`, { names, count });
  }
  const person = playerOf(table, winner);
  return t(`log.end.${person}`, { name: nameOf(table, winner), count });
}

/** The player who loses a place to these placements, and the dice there. */
function pushed(places: readonly WirePlacement[], table: LogContext, so: RoundState): string[] {
  return places.flatMap(({ slot }) => {
    const former = so.held.get(slot);
    if (!former) return [];
    const details = { name: nameOf(table, former.seat), total: former.dice * former.effort };
    return [t(`log.pushed.${personOf(table, former.seat)}`, details)];
  });
}

export function placementList(places: readonly WirePlacement[], so: RoundState): string {
  return list(
    places.map(({ slot, dice, effort }) => t("log.placement", { dice, effort, on: onText(slot, so) })),
  );
}

/** "On the Idol", with its value if the row has several of its type. */
export function onText(slot: number, so: RoundState): string {
  const card = so.row[slot] ?? "";
  const on = t(`term.${typeName(card[0] ?? "")}.on`);
  const isAlone = so.row.filter((other) => other[0] === card[0]).length === 1;
  const value = so.down.includes(slot) ? "?" : (card[1] ?? "?");
  return isAlone ? on : t("log.card.told_apart", { card: on, value });
}

/** "P2" as "Pottery 2". */
export function cardText(card: string): string {
  return card[1] === "?" ? written("log.card.unknown", card) : written("log.card.open", card);
}

function written(key: Key, card: string): string {
  return t(key, { type: t(`term.${typeName(card[0] ?? "")}`), value: card[1] ?? "?" });
}

export function cardList(cards: readonly string[]): string {
  return list(cards.map(cardText));
}

function faceList(faces: readonly number[]): string {
  return list(faces.map(String));
}

function sentences(parts: readonly string[]): string {
  return parts.join(" ");
}
