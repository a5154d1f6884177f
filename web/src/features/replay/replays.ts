/** Sources and viewers of finished games. */
import { request, Refusal } from "../../wire/rest";
import type { Reason, Replay, SeatInfo } from "../../wire/types";
import type { Company } from "../../state/shown";

/** A seat, a spectator, or a viewer who sees every card. */
export type ReplayViewer = Replay["viewer"];

export type Source =
  { kind: "table"; table: string; invite: string | null } | { kind: "record"; record: object | null };

/** The viewer in an address; null if invalid. */
export function parseViewer(text: string | null): ReplayViewer | null {
  if (text === "all" || text === "spectator") return text;
  return text !== null && /^[0-3]$/.test(text) ? Number(text) : null;
}

/** The server's reason for text that is not JSON. */
const NO_JSON: Reason = { code: "not_a_record", details: { n: -1, field: "JSON" }, text: "" };

export function fetchReplay(source: Source, eyes: ReplayViewer | null): Promise<Replay> {
  const query = eyes === null ? "" : `?viewer=${eyes}`;
  if (source.kind === "table")
    return request<Replay>("GET", `/tables/${source.table}/replay${query}`, undefined, source.invite);
  if (source.record === null) return Promise.reject(new Refusal(NO_JSON));
  return request<Replay>("POST", `/replay${query}`, source.record);
}

/** All viewers of a game. */
export function allViewers(players: number): ReplayViewer[] {
  return [...Array.from({ length: players }, (_, seat) => seat), "spectator", "all"];
}

const BOT = "bot:";

export function companyOf(replay: Replay): Company {
  const seats = replay.seats.map(({ name, kind }): SeatInfo =>
    kind.startsWith(BOT) ? { kind: "bot", level: kind.slice(BOT.length) } : { kind: "person", name },
  );
  return { settings: { players: replay.players }, seats };
}
