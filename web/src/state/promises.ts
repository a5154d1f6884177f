/** Commitments received and entropy sent by this device before each game, stored for the fairness check. */
import { read, write } from "./storage";

const COMMITMENTS = "commitments";
const SHARES = "shares";
const MOST = 100;

type Pair = [name: string, value: string];

function kept(key: string): Pair[] {
  const found = read<unknown>(key, []);
  return Array.isArray(found) ? (found as Pair[]) : [];
}

/** The first value of a name stays; the oldest names are dropped beyond the limit. */
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
