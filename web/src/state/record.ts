/** The server's record of a game: players, events, result, fairness data. */
import { t } from "../i18n/index.svelte";
import { request } from "../wire/rest";
import type { TypeName } from "./cards";
import type { GameEvent } from "./table.svelte";

export interface Breakdown {
  treasure: number;
  collectors: Record<TypeName, number>;
  servants: number;
}

/** Titles of solo scores, lowest first (R10.7). */
export const TITLES = ["fool", "petty", "affluent", "magnificent"] as const;
export type Title = (typeof TITLES)[number];

/** A title's text; empty without one. */
export function titleText(title: string | null | undefined): string {
  const rank = TITLES.findIndex((known) => known === title);
  return rank < 0 ? "" : t(`term.rank.${rank as 0 | 1 | 2 | 3}`);
}

export interface Result {
  scores: number[];
  breakdown: Breakdown[];
  places: number[];
  winners: number[];
  title: Title | null;
}

export interface FairnessProof {
  commitment: string;
  /** The secret, after the game. */
  seed?: string;
  entropy?: string[];
  /** The name under which tables share the secret. */
  seal?: string;
}

export interface GameRecord {
  format: string;
  game: {
    id?: string;
    players: number;
    collectors: string;
    leader: number;
    seats: { name: string; kind: string }[];
  };
  fairness?: FairnessProof;
  events: GameEvent[];
  result?: Result;
}

export function recordOf(table: string, invite: string | null): Promise<GameRecord> {
  return request<GameRecord>("GET", `/tables/${table}/record`, undefined, invite);
}
