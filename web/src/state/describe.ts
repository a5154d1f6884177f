/** Tables in words, for lists and summaries. */
import { t, words } from "../i18n/index.svelte";
import type { SeatInfo, TableInfo, TableSettings } from "../wire/types";
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

/** Who plays with the reader. */
export function companyText(info: TableInfo, mine: readonly number[]): string {
  if (info.seal?.startsWith("daily:")) return sealText(info);
  if (info.settings.players === 1) return t("page.games.solo");
  const others = info.seats.flatMap((info, seat) =>
    mine.includes(seat) || info.kind === "free" || info.kind === "kept" ? [] : [seatName(info, seat)],
  );
  if (others.length === 0) return t("page.games.nobody");
  return t("page.games.with", { names: new Intl.ListFormat(words.language).format(others) });
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
