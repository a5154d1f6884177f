/** Positions of lines, marks and labels of the evaluation curve. */

/** The axis range: whole tens of coins around all values; in solo games the scores themselves. */
export function rangeOf(values: readonly number[], isAlone: boolean): [low: number, high: number] {
  if (!isAlone) return [0, 1];
  const low = Math.floor(Math.min(...values, 60) / 10) * 10;
  const high = Math.ceil(Math.max(...values, low + 10) / 10) * 10;
  return [low, high];
}

/** Moves overlapping labels apart, keeping their order and the height limit. */
export function spread(
  wanted: readonly number[],
  apart: number,
  lowest: number,
  highest: number,
): readonly number[] {
  const order = wanted.map((y, index) => ({ y, index })).sort((one, other) => one.y - other.y);
  let free = lowest;
  for (const label of order) {
    label.y = Math.max(label.y, free);
    free = label.y + apart;
  }
  let most = highest;
  for (const label of order.reverse()) {
    label.y = Math.min(label.y, most);
    most = label.y - apart;
  }
  const found: number[] = [];
  for (const { y, index } of order) found[index] = y;
  return found;
}
