/** The record of a game as the server hands it out: who played, what happened, how it ended, where chance came from. */
import { ask } from "../wire/rest";
import type { TypeName } from "./cards";
import type { GameEvent } from "./table.svelte";

export interface Breakdown {
  treasure: number;
  collectors: Record<TypeName, number>;
  servants: number;
}

export type Title = "fool" | "petty" | "affluent" | "magnificent";

export interface Result {
  scores: number[];
  breakdown: Breakdown[];
  places: number[];
  winners: number[];
  title: Title | null;
}

export interface FairnessProof {
  commitment: string;
  /** The secret, once the game is over. */
  seed?: string;
  entropy?: string[];
  /** Under which the secret is shared with other tables. */
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
  return ask<GameRecord>("GET", `/tables/${table}/record`, undefined, invite);
}
