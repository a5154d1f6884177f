/** The state of a round before an event: the row and the dice on it. */
import type { GameEvent } from "../state/table.svelte";
import type { WirePlacement } from "../wire/types";

interface Holding {
  seat: number;
  dice: number;
  effort: number;
}

export class RoundState {
  row: readonly string[] = [];
  /** Slots of face-down cards. */
  down: readonly number[] = [];
  readonly held = new Map<number, Holding>();

  /** The slots with a seat's dice, from left to right. */
  slotsOf(seat: number): number[] {
    return [...this.held]
      .filter(([, holding]) => holding.seat === seat)
      .map(([slot]) => slot)
      .sort((one, other) => one - other);
  }

  apply(event: GameEvent): void {
    if (event.type === "reveal") {
      this.row = event.row;
      this.down = event.down;
      this.held.clear();
    } else if (event.type === "claim") this.place(event.seat, event.place);
    // The Ghost has the seat after the only player.
    else if (event.type === "ghost") this.place(1, event.place);
    else if (event.type === "take") this.down = this.down.filter((slot) => slot !== event.slot);
  }

  private place(seat: number, places: readonly WirePlacement[]): void {
    for (const { slot, dice, effort } of places) this.held.set(slot, { seat, dice, effort });
  }
}

export function roundBefore(event: GameEvent, events: readonly GameEvent[]): RoundState {
  const before = events.filter((one) => one.n < event.n);
  const start = before.findLastIndex((one) => one.type === "reveal");
  const round = new RoundState();
  for (const one of before.slice(Math.max(0, start))) round.apply(one);
  return round;
}
