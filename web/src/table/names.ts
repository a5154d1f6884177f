/** What the people at a table are called. */
import { list, t, type Key } from "../i18n/index.svelte";
import type { Company, ShownTable } from "../state/shown";
import type { SeatInfo } from "../wire/types";

/** Who is called by name, and whoever looks "you". */
type Seated = Pick<ShownTable, "info" | "seat">;

/** Bots of one level would all have one name: here each has that of a relative, by seat. */
export function seatName(info: SeatInfo | undefined, seat: number): string {
  if (info?.kind === "bot") return t(`page.table.relative.${seat}` as Key);
  if (info?.kind === "person" && info.name === "") return t("page.table.somebody"); // who deleted themselves
  return info?.name ?? t("page.table.heir", { number: seat + 1 });
}

function isGhost(info: Company | null, seat: number): boolean {
  return info !== null && info.settings.players === 1 && seat > 0;
}

/** The name as the others know it, also one's own. */
export function ownNameOf(table: Seated, seat: number): string {
  return isGhost(table.info, seat) ? t("term.ghost") : seatName(table.info?.seats[seat], seat);
}

/** What the viewer calls a seat: You, the Ghost, or a name. */
export function nameOf(table: Seated, seat: number): string {
  return seat === table.seat ? t("page.table.you") : ownNameOf(table, seat);
}

/** Several who share something: a sentence to one of them names only the others. */
export function sharersOf(table: Seated, seats: readonly number[]): { who: "you" | "other"; names: string } {
  const others = seats.filter((seat) => seat !== table.seat);
  const names = list(others.map((seat) => ownNameOf(table, seat)));
  return { who: others.length < seats.length ? "you" : "other", names };
}
