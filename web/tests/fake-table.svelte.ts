/** A table that stores the moves sent to it. */
import type { LiveTable } from "../src/state/table.svelte";
import type { View, WireAction } from "../src/wire/types";

export class FakeTable {
  view = $state.raw<View | null>(null);
  stage = $state({ view: null as View | null, isBusy: false });
  seat: number | null;
  info = {
    settings: { players: 3 },
    seats: ["Ada", "Bo", "Cy"].map((name) => ({ kind: "person" as const, name })),
  };
  sent: WireAction[][] = [];
  /** The server's response to the next move. */
  answer: () => Promise<void> = () => Promise.resolve();

  constructor(view: View) {
    this.seat = view.seat;
    this.show(view);
  }

  show(view: View): void {
    this.view = view;
    this.stage.view = view;
  }

  act(actions: WireAction[]): Promise<void> {
    this.sent.push(actions);
    return this.answer();
  }

  /** Typed as the full table for components that use only these members. */
  get live(): LiveTable {
    return this as unknown as LiveTable;
  }
}
