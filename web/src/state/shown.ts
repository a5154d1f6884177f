/** The interface of a table on screen, live or recorded. */
import type { TableInfo, Tick, View, WireAction } from "../wire/types";
import type { Stage } from "./stage.svelte";
import type { GameEvent } from "./table.svelte";

/** The seats and settings of a table. */
export type Company = Pick<TableInfo, "settings" | "seats">;

/** What the log needs. */
export type LogContext = Pick<ShownTable, "info" | "seat" | "events">;

export interface ShownTable {
  /** Null for a recorded table. */
  readonly id: string | null;
  readonly info: Company | null;
  /** The viewer's seat; null for a spectator. */
  readonly seat: number | null;
  /** The newest view; `stage.view` is the one on screen. */
  readonly view: View | null;
  /** All events received, in order. */
  readonly events: readonly GameEvent[];
  readonly stage: Stage;
  /** By seat whether its person has the table open; empty for recorded tables. */
  readonly present: readonly boolean[];
  readonly clock: Tick | null;
  readonly isPlayedByBot: boolean;
  /** Makes a move. Throws a Refusal. */
  act(actions: WireAction[]): Promise<void>;
}
