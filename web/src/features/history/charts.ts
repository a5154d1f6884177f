/** Calculations for charts. */

export interface Dot {
  at: number;
  value: number;
  isWon: boolean;
  /** The game's result as text. */
  result: string;
}

/** Three to six round numbers that enclose all values. */
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

/** The moving average at each value. */
export function meanOf(values: readonly number[], window: number): number[] {
  return values.map((_, index) => {
    const last = values.slice(Math.max(0, index + 1 - window), index + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

/** The ratio of part to whole, 0 to 1. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
