/** What the pieces of a table need to know of it: one that is played just now, or one that was recorded. */
import type { TableInfo, Tick, View, WireAction } from "../wire/types";
import type { Stage } from "./stage.svelte";
import type { GameEvent } from "./table.svelte";

/** Who plays, and at what kind of table. */
export type Company = Pick<TableInfo, "settings" | "seats">;

/** What the story of a game is told from. */
export type Told = Pick<ShownTable, "info" | "seat" | "events">;

export interface ShownTable {
  /** Nothing for one that was recorded. */
  readonly id: string | null;
  readonly info: Company | null;
  /** The seat whose view this is; none for a spectator. */
  readonly seat: number | null;
  /** The newest view; what is on the screen follows in `stage.view`. */
  readonly view: View | null;
  /** All events that were told, in order. */
  readonly events: readonly GameEvent[];
  readonly stage: Stage;
  /** By seat whether its person has the table open; nothing where nobody can. */
  readonly present: readonly boolean[];
  readonly clock: Tick | null;
  readonly isPlayedByBot: boolean;
  /** Make a move. A refusal is thrown. */
  act(actions: WireAction[]): Promise<void>;
}
