/** Changes between two views, applied without rules of the game; `play/view_changes.py` defines their format. */
import type { Update, View } from "./types";

export type ViewChanges = NonNullable<Update["changes"]>;
type Fields = Record<string, unknown>;

/** A new view; what has not changed is shared with the old one. */
export function applyChanges(view: View, changes: ViewChanges): View {
  return changed(view, changes) as View;
}

function changed(old: unknown, change: unknown): unknown {
  if (!isFields(change)) return change;
  if (Array.isArray(old)) return withChangedItems(old, change);
  if (!isFields(old)) return change;
  const fields = Object.entries(change).map(([name, value]) => [name, changed(old[name], value)]);
  return { ...old, ...(Object.fromEntries(fields) as Fields) };
}

/** Keys are indices; the index at the end appends. */
function withChangedItems(old: readonly unknown[], change: Fields): unknown[] {
  const items = [...old];
  for (const [key, value] of Object.entries(change)) {
    const index = Number(key);
    if (!(index <= items.length)) throw new RangeError(`A list of ${items.length} has no item ${key}.`);
    items[index] = index < items.length ? changed(items[index], value) : value;
  }
  return items;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
