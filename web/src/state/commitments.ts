/** Commitments received and entropy sent by this device before each game, stored for the fairness check. */
import { read, write } from "./storage";

const COMMITMENTS = "commitments";
const SHARES = "shares";
const LIMIT = 100;

type Pair = [name: string, value: string];

function storedPairs(key: string): Pair[] {
  const found = read<unknown>(key, []);
  return Array.isArray(found) ? (found as Pair[]) : [];
}

/** The first value of a name stays; the oldest names are dropped beyond the limit. */
function storePair(key: string, name: string, value: string): void {
  const pairs = storedPairs(key);
  if (!pairs.some(([known]) => known === name)) write(key, [...pairs, [name, value]].slice(-LIMIT));
}

export function saveCommitment(table: string, commitment: string): void {
  storePair(COMMITMENTS, table, commitment);
}

export function firstCommitment(table: string): string | null {
  return storedPairs(COMMITMENTS).find(([known]) => known === table)?.[1] ?? null;
}

export function saveEntropy(entropy: string): void {
  storePair(SHARES, entropy, "");
}

export function savedEntropy(): string[] {
  return storedPairs(SHARES).map(([entropy]) => entropy);
}
