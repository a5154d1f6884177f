/** What is on the screen: follows the server's events one after the other, at the pace somebody likes. */
import type { View } from "../wire/types";
import type { GameEvent } from "./table.svelte";

export class Stage {
  /** The table as it is shown now. */
  view = $state.raw<View | null>(null);

  /** At once: nothing led up to it. */
  show(view: View | null): void {
    this.view = view;
  }

  /** What happened, and how the table stands after it. */
  play(events: GameEvent[], view: View): void {
    void events;
    this.view = view;
  }

  close(): void {}
}
