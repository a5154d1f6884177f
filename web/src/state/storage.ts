/** Storage on this device. Reads give the default if the browser stores nothing. */

const PREFIX = "royalcrypt.";

function attempt<Value>(what: () => Value, otherwise: Value): Value {
  try {
    return what();
  } catch {
    return otherwise;
  }
}

export function readText(key: string): string | null {
  return attempt(() => localStorage.getItem(PREFIX + key), null);
}

export function writeText(key: string, text: string): void {
  attempt(() => localStorage.setItem(PREFIX + key, text), undefined);
}

/** Parsed but unvalidated JSON; the default if absent or invalid. */
export function read<Value>(key: string, otherwise: Value): Value {
  return attempt(() => JSON.parse(readText(key) ?? "null") as Value | null, null) ?? otherwise;
}

export function write(key: string, value: unknown): void {
  writeText(key, JSON.stringify(value));
}

export function remove(key: string): void {
  attempt(() => localStorage.removeItem(PREFIX + key), undefined);
}

/** Removes everything about the user; appearance and invitation stay. */
export function clearPersonalData(): void {
  const kept = ["preferences", "invitation"].map((key) => PREFIX + key);
  const keys = attempt(() => Object.keys(localStorage), []);
  for (const key of keys) {
    if (key.startsWith(PREFIX) && !kept.includes(key)) remove(key.slice(PREFIX.length));
  }
}

/** Sets a mark for this visit; returns whether it was set before. */
export function isMarked(key: string): boolean {
  return attempt(() => sessionStorage.getItem(PREFIX + key) !== null, false);
}

export function mark(key: string): void {
  attempt(() => sessionStorage.setItem(PREFIX + key, ""), undefined);
}
