/** Finished games to look at again: where they come from, and through whose eyes. */
import { ask, Refusal } from "../../wire/rest";
import type { Reason, Replay, SeatInfo } from "../../wire/types";
import type { Company } from "../../state/shown";

/** A seat, somebody who watched, or one who knows every card. */
export type Eyes = Replay["viewer"];

export type Source =
  { kind: "table"; table: string; invite: string | null } | { kind: "record"; record: object | null };

/** What an address says of the viewer; nothing if it makes no sense. */
export function eyesIn(text: string | null): Eyes | null {
  if (text === "all" || text === "spectator") return text;
  return text !== null && /^[0-3]$/.test(text) ? Number(text) : null;
}

/** What the server would say of text that it could not even read. */
const NO_JSON: Reason = { code: "not_a_record", details: { n: -1, field: "JSON" }, text: "" };

export function fetchReplay(source: Source, eyes: Eyes | null): Promise<Replay> {
  const query = eyes === null ? "" : `?viewer=${eyes}`;
  if (source.kind === "table")
    return ask<Replay>("GET", `/tables/${source.table}/replay${query}`, undefined, source.invite);
  if (source.record === null) return Promise.reject(new Refusal(NO_JSON));
  return ask<Replay>("POST", `/replay${query}`, source.record);
}

/** Everybody through whose eyes the game can be seen. */
export function allEyes(players: number): Eyes[] {
  return [...Array.from({ length: players }, (_, seat) => seat), "spectator", "all"];
}

const BOT = "bot:";

export function companyOf(replay: Replay): Company {
  const seats = replay.seats.map(({ name, kind }): SeatInfo =>
    kind.startsWith(BOT) ? { kind: "bot", level: kind.slice(BOT.length) } : { kind: "person", name },
  );
  return { settings: { players: replay.players }, seats };
}
