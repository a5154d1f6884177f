/** Tables that share a secret with others: the daily crypt and duplicates. */
import { moment, t } from "../i18n/index.svelte";
import type { TableInfo } from "../wire/types";
import type { Route } from "./router.svelte";

export interface Seal {
  kind: "daily" | "duplicate";
  /** The day, or the duplicate's id. */
  name: string;
}

export function sealOf(info: TableInfo | null): Seal | null {
  const [kind, name = ""] = info?.seal?.split(":") ?? [];
  return kind === "daily" || kind === "duplicate" ? { kind, name } : null;
}

/** The screen that compares all tables of the seal. */
export function routeOf({ kind, name }: Seal): Route {
  return kind === "daily" ? { screen: "daily", day: name } : { screen: "duplicate", id: name };
}

/** Whether a day's crypt is played after its day. */
export function isPractice(info: TableInfo): boolean {
  const seal = sealOf(info);
  return seal?.kind === "daily" && new Date(info.opened).toISOString().slice(0, 10) !== seal.name;
}

export function sealText(info: TableInfo): string {
  const seal = sealOf(info);
  if (!seal) return "";
  if (!isPractice(info)) return t(`page.seal.${seal.kind}`);
  return t("page.seal.practice", { day: dayText(seal.name) });
}

/** The midnight at which a day's secret is published, in milliseconds since 1970. */
export function endOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000;
}

/** A calendar day, independent of the reader's time zone. */
export function dayText(day: string, style: "medium" | "full" = "medium"): string {
  return moment(Date.parse(`${day}T00:00:00Z`), "date", { dateStyle: style, timeZone: "UTC" });
}
