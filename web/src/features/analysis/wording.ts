/** Judged moves and their reasons as text. */
import { decimal, list, percent, t, words, type Details, type Key } from "../../i18n/index.svelte";
import { typeName } from "../../state/cards";
import type { ShownTable } from "../../state/shown";
import type { GameEvent } from "../../state/table.svelte";
import { ownNameOf } from "../../table/names";
import { roundBefore, type RoundState } from "../../table/rounds";
import { cardText, onText, placementList } from "../../table/sentences";
import type { JudgedFact, WireAction } from "../../wire/types";
import type { Judged } from "./findings";

type Seated = Pick<ShownTable, "info" | "seat">;

/** The row at the time of the decision. */
export function roundOf({ n, isSilent }: Judged, events: readonly GameEvent[]): RoundState {
  const at = events.find((event) => event.n === n);
  if (!at) return roundBefore({ n: Infinity } as GameEvent, events);
  return roundBefore(isSilent ? { ...at, n: n + 1 } : at, events);
}

export function actionText(action: WireAction, so: RoundState): string {
  const { do: verb, place = [], slot = null } = action;
  if (verb === "claim") return placementList(place, so);
  const verbText = t(`term.verb.${verb}` as Key);
  if (slot === null) return capital(verbText);
  if (verb === "reroll") return capital(`${verbText} ${onText(slot, so)}`);
  return capital(`${verbText}: ${t(`term.${typeName(so.row[slot]?.[0] ?? "I")}`)}`);
}

export function factText(verbText: JudgedFact, table: Seated): string {
  const { fact } = verbText;
  const details: Record<string, unknown> = { ...verbText.details };
  const added = fact === "gain" ? ["paid", "hoped"].filter((name) => details[name]) : [];
  const key = ["advice.fact", [fact, ...added].join("_")].join(".") as Key;
  const filled = Object.entries(details).map(([name, value]) => [name, detailText(name, value, table)]);
  return t(key, Object.fromEntries(filled) as Details);
}

function detailText(name: string, value: unknown, table: Seated): string {
  switch (name) {
    case "cards":
      return list((value as string[]).map(cardText));
    case "who":
      return list((value as number[]).map((seat) => ownNameOf(table, seat)));
    case "coins":
    case "paid":
    case "hoped":
    case "worth":
      return coins(value as number);
    case "dice":
      return t("term.dice", { count: short(value as number) });
    case "chance":
      return percent(value as number);
    default:
      return String(value);
  }
}

/** "2.5 Coins". */
export function coins(value: number): string {
  return t("term.coins", { count: short(value) });
}

/** A seat's expected result: the chance to win, or coins in solo games. */
export function valueText(value: number, isAlone: boolean): string {
  return isAlone ? decimal(value) : percent(value);
}

/** A difference, with its sign. */
export function changeText(value: number, isCoins: boolean): string {
  const text = isCoins ? decimal(Math.abs(value)) : percent(Math.abs(value));
  const isNothing = text === (isCoins ? decimal(0) : percent(0));
  if (isNothing) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(words.language) + text.slice(1);
}
