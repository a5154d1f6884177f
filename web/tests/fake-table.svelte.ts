/** A table that keeps what is sent to it. */
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
  /** How the server answers the next move. */
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

  /** For those who want the whole thing and use this part of it. */
  get live(): LiveTable {
    return this as unknown as LiveTable;
  }
}
