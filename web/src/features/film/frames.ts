/** A recorded game as one viewer knew it, and the table at each of its moments. */
import { patched } from "../../state/patches";
import { stepsOf } from "../../state/steps";
import type { GameEvent } from "../../state/table.svelte";
import type { RecordedFrame, View } from "../../wire/types";

/** What happened in one breath, at least one event, and the table after it. */
export type Frame = RecordedFrame;

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

export function movesIn(frames: readonly Frame[]): GameEvent[][] {
  const moves: GameEvent[][] = [];
  frames.forEach(({ move, events }, index) => {
    if (frames[index - 1]?.move === move) moves.at(-1)?.push(...events);
    else moves.push([...events]);
  });
  return moves;
}
