/**
 * What this device saw and gave before a game's first card, kept so that its record can be held against it: the
 * server's commitments, and this device's own shares of chance.
 */

const COMMITMENTS = "royalcrypt.commitments";
const SHARES = "royalcrypt.shares";
const MOST = 100;

type Pair = [name: string, value: string];

function kept(key: string): Pair[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? (found as Pair[]) : [];
  } catch {
    return [];
  }
}

/** The first that was seen under a name stays; of too many the oldest go. */
function keep(key: string, name: string, value: string): void {
  const pairs = kept(key);
  if (pairs.some(([known]) => known === name)) return;
  try {
    localStorage.setItem(key, JSON.stringify([...pairs, [name, value]].slice(-MOST)));
  } catch {
    // A browser that keeps nothing can still recompute every card and die.
  }
}

export function keepCommitment(table: string, commitment: string): void {
  keep(COMMITMENTS, table, commitment);
}

export function commitmentSeen(table: string): string | null {
  return kept(COMMITMENTS).find(([known]) => known === table)?.[1] ?? null;
}

export function keepShare(entropy: string): void {
  keep(SHARES, entropy, "");
}

export function sharesGiven(): string[] {
  return kept(SHARES).map(([entropy]) => entropy);
}
