/** A recorded game as one viewer knew it, and the table at each of its moments. */
import { patched } from "../../state/patches";
import { stepsOf } from "../../state/steps";
import type { GameEvent } from "../../state/table.svelte";
import type { View } from "../../wire/types";

/** What happened in one breath, and the table after it. */
export interface Frame {
  /** The move it belongs to, counted from 0 (which is the first Reveal, before anybody moves). */
  move: number;
  /** At least one. */
  events: readonly GameEvent[];
  view: View;
}

/** The table right after the event with this number: as the frame tells it, or on the way there as its events say. */
export function viewAfter(frames: readonly Frame[], n: number): View | null {
  const index = frames.findIndex(({ events }) => (events.at(-1)?.n ?? -1) >= n);
  const frame = frames[index];
  if (!frame) return frames.at(-1)?.view ?? null;
  const events = frame.events.filter((event) => event.n <= n);
  if (events.length === frame.events.length) return frame.view;
  const before = frames[index - 1]?.view ?? frame.view;
  const steps = stepsOf(events, { seat: frame.view.seat, speed: "instant", throwsByHand: false });
  return steps.reduce((view, step) => patched(view, step, frame.view), before);
}
