/** Results as text. */
import { t } from "../../i18n/index.svelte";
import { botName } from "../../state/bots.svelte";
import { titleText } from "../../state/record";
import { seatName } from "../../table/names";
import type { PastLine, PastSeat, Point, Rival } from "../../wire/types";

/** Prefix of a bot seat's kind; people and programs have names. */
const BOT = "bot:";

export function resultText(result: Pick<Point, "place" | "is_winner" | "title">): string {
  if (result.title) return titleText(result.title);
  return result.is_winner ? t("history.won") : t("history.place", { place: result.place });
}

/** Bots carry a relative's name at the table; lists add their level. */
export function pastName(seat: PastSeat, number: number): string {
  if (seat.is_mine) return t("page.table.you");
  if (!seat.kind.startsWith(BOT)) return seat.name || t("page.table.somebody");
  const level = seat.kind.slice(BOT.length);
  const name = seatName({ kind: "bot", name: level }, number);
  return t("history.bot_name", { name, level: botName(level) });
}

export function rivalName(rival: Rival): string {
  if (rival.kind === "bot") return botName(rival.level ?? "");
  if (rival.kind === "gone") return t("page.table.somebody");
  return rival.name ?? "";
}

/** A game's result from the user's point of view. */
export function outcomeOf(game: PastLine): { text: string; isGood: boolean } {
  const mine = game.seats.filter((seat) => seat.is_mine);
  if (mine.length > 1) return { text: t("history.shared"), isGood: false };
  const [seat] = mine;
  if (!seat) return { text: "", isGood: false };
  return { text: resultText({ ...seat, title: game.title ?? null }), isGood: !game.title && seat.is_winner };
}
