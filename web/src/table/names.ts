/** Names of the people at a table. */
import { list, t, type Key } from "../i18n/index.svelte";
import type { Company, ShownTable } from "../state/shown";
import type { SeatInfo } from "../wire/types";

/** A table's seats and its viewer. */
type Seated = Pick<ShownTable, "info" | "seat">;

/** Bots are named after relatives by seat, since one level may play several seats. */
export function seatName(info: SeatInfo | undefined, seat: number): string {
  if (info?.kind === "bot") return t(`page.table.relative.${seat}` as Key);
  if (info?.kind === "person" && info.name === "") return t("page.table.somebody"); // deleted accounts
  return info?.name ?? t("page.table.heir", { number: seat + 1 });
}

function isGhost(info: Company | null, seat: number): boolean {
  return info !== null && info.settings.players === 1 && seat > 0;
}

/** The player's name, without "You". */
export function ownNameOf(table: Seated, seat: number): string {
  return isGhost(table.info, seat) ? t("term.ghost") : seatName(table.info?.seats[seat], seat);
}

/** The seat's name for the viewer: You, the Ghost, or a name. */
export function nameOf(table: Seated, seat: number): string {
  return seat === table.seat ? t("page.table.you") : ownNameOf(table, seat);
}

/** Several players who share something: "you" and the names of the others. */
export function sharersOf(
  table: Seated,
  seats: readonly number[],
): { person: "you" | "other"; names: string } {
  const others = seats.filter((seat) => seat !== table.seat);
  const names = list(others.map((seat) => ownNameOf(table, seat)));
  return { person: others.length < seats.length ? "you" : "other", names };
}
