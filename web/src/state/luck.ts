/** The luck of the dice, compared with the average. */
import type { GameEvent } from "./table.svelte";

export interface Luck {
  /** Dice that could fail and were rolled, re-rolls included. */
  rolled: number;
  failed: number;
  /** The expected number of failures. */
  expected: number;
}

export type Fortune = "none" | "never" | "kind" | "even" | "unkind";

const FACES = 6;
/** Smaller differences from the average are not reported. */
const NOTEWORTHY = 0.75;

export function luckOf(events: readonly GameEvent[], seat: number): Luck {
  const luck: Luck = { rolled: 0, failed: 0, expected: 0 };
  for (const event of events) {
    if ((event.type !== "roll" && event.type !== "reroll") || event.seat !== seat) continue;
    const faces = event.type === "roll" ? event.rolled : [event.rolled];
    luck.rolled += faces.length;
    luck.failed += faces.filter((face) => face < event.effort).length;
    luck.expected += (faces.length * (event.effort - 1)) / FACES;
  }
  return luck;
}

export function fortuneOf(luck: Luck): Fortune {
  if (!luck.rolled) return "none";
  if (!luck.failed && luck.expected >= NOTEWORTHY) return "never";
  const difference = luck.failed - luck.expected;
  if (Math.abs(difference) < NOTEWORTHY) return "even";
  return difference < 0 ? "kind" : "unkind";
}
