/** A day's results as bars five coins wide; titles start at multiples of five (R10.7). */
import type { DailyScore } from "../../wire/types";

export interface Bar {
  from: number;
  to: number;
  count: number;
  isOwn: boolean;
}

const WIDTH = 5;
/** Minimum range of the axis. */
const MINIMUM = 25;
const LIMIT = 59;

export function barsOf(scores: readonly DailyScore[], own: number | null): Bar[] {
  if (scores.length === 0) return [];
  const reached = scores.map(({ score }) => score);
  const first = Math.floor(Math.min(MINIMUM, ...reached) / WIDTH);
  const last = Math.floor(Math.max(LIMIT, ...reached) / WIDTH);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const from = (first + index) * WIDTH;
    const to = from + WIDTH - 1;
    const isWithin = (score: number): boolean => score >= from && score <= to;
    const count = scores.reduce((sum, line) => sum + (isWithin(line.score) ? line.count : 0), 0);
    return { from, to, count, isOwn: own !== null && isWithin(own) };
  });
}

export function finishedOf(scores: readonly DailyScore[]): number {
  return scores.reduce((sum, { count }) => sum + count, 0);
}

/** The score that at least half of the players reached. */
export function medianOf(scores: readonly DailyScore[]): number {
  let left = Math.ceil(finishedOf(scores) / 2);
  for (const { score, count } of scores.toReversed()) {
    left -= count;
    if (left <= 0) return score;
  }
  return 0;
}
