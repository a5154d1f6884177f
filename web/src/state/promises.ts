/**
 * What this device saw and gave before a game's first card, kept so that its record can be held against it: the
 * server's commitments, and this device's own shares of chance.
 */
import { read, write } from "./storage";

const COMMITMENTS = "commitments";
const SHARES = "shares";
const MOST = 100;

type Pair = [name: string, value: string];

function kept(key: string): Pair[] {
  const found = read<unknown>(key, []);
  return Array.isArray(found) ? (found as Pair[]) : [];
}

/** The first that was seen under a name stays; of too many the oldest go. */
function keep(key: string, name: string, value: string): void {
  const pairs = kept(key);
  if (!pairs.some(([known]) => known === name)) write(key, [...pairs, [name, value]].slice(-MOST));
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
