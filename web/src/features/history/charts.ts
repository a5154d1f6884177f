/** What charts need to know of their numbers. */

export interface Dot {
  at: number;
  value: number;
  isWon: boolean;
  /** How the game came out, in words. */
  result: string;
}

/** Round numbers from just below the least value to just above the greatest, three to six of them. */
export function ticksOf(values: readonly number[]): number[] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const rough = Math.max(high - low, 4) / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * size).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step) * step;
  const last = Math.max(Math.ceil(high / step) * step, first + step);
  const count = Math.round((last - first) / step);
  return Array.from({ length: count + 1 }, (_, index) => first + index * step);
}

/** At each value, the mean of the last so many. */
export function meanOf(values: readonly number[], window: number): number[] {
  return values.map((_, index) => {
    const last = values.slice(Math.max(0, index + 1 - window), index + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

/** How much of something there is, 0 to 1. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
