/** Tables as text, for lists and summaries. */
import { list, t, words } from "../i18n/index.svelte";
import type { GameLine, SeatInfo, TableInfo, TableSettings } from "../wire/types";
import { seatName } from "../table/names";
import { sealText } from "./seal";

export function clockText(clock: TableSettings["clock"]): string {
  if (!clock) return t("page.clock.none");
  if (clock.kind === "days") return t("page.clock.days", { count: clock.days ?? 2 });
  return t("page.clock.live", { seconds: clock.move ?? 45, minutes: (clock.bank ?? 180) / 60 });
}

export function seatText(seat: SeatInfo, number: number): string {
  switch (seat.kind) {
    case "person":
    case "bot":
      return seatName(seat, number);
    case "kept":
      return t("page.seat.kept", { name: seat.name ?? "" });
    case "free":
      return t("page.seat.free");
  }
}

/** The reader's opponents. */
export function companyText(info: TableInfo, mine: readonly number[]): string {
  if (info.seal?.startsWith("daily:")) return sealText(info);
  if (info.settings.players === 1) return t("page.games.solo");
  const others = info.seats.flatMap((info, seat) =>
    mine.includes(seat) || info.kind === "free" || info.kind === "kept" ? [] : [seatName(info, seat)],
  );
  if (others.length > 0) return t("page.games.with", { names: list(others) });
  if (mine.length < 2) return t("page.games.nobody");
  return t("page.games.shared", { names: list(mine.map((seat) => seatName(info.seats[seat], seat))) });
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in the largest unit with a value of two or more: "36 hours", "2 days". */
export function durationText(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= 2 * length) ?? UNITS[2];
  const format = new Intl.NumberFormat(words.language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.max(1, Math.floor(milliseconds / length)));
}

/** The time left for the user's turn, or the time since it began if there is no clock. */
export function urgencyText({ info, updated }: GameLine, now: number): string {
  if (info.deadline != null) return t("page.games.time_left", { time: durationText(info.deadline - now) });
  return t("page.games.waiting_for", { time: durationText(now - updated) });
}

export function stateText(info: TableInfo): string {
  switch (info.status) {
    case "open": {
      const count = info.seats.filter((seat) => seat.kind === "free" || seat.kind === "kept").length;
      return count > 0 ? t("page.games.free", { count }) : t("page.games.ready");
    }
    case "running":
      return t("page.games.round", { round: info.round ?? 1 });
    case "over":
      return t("page.games.over");
    case "closed":
      return t("page.games.closed");
  }
}
