/** The small decisions that are legal, as the server numbers them (`royalcrypt.rules.actions`). */
import type { WirePlacement } from "../wire/types";

export const FACES = 6;
export const SERVANTS = 3;
const SLOTS = 6;
const VALUES = 4;

const PER_SLOT = SERVANTS * FACES;
const DONE = SLOTS * PER_SLOT;
const RECOVER = DONE + 1;
const PEEK = RECOVER + 1;
const MEND = PEEK + 1;
const DECLINE = MEND + 1;
const TAKE = DECLINE + 1;
const REROLL = TAKE + SLOTS;
const FLIP = REROLL + SLOTS;

export type Decision =
  | ({ do: "place" } & WirePlacement)
  | { do: "done" | "recover" | "peek" | "mend" | "decline" }
  | { do: "take" | "reroll"; slot: number }
  | { do: "flip"; value: number };

export function placementCode({ slot, dice, effort }: WirePlacement): number {
  return slot * PER_SLOT + (dice - 1) * FACES + effort - 1;
}

export function decode(code: number): Decision {
  if (!Number.isInteger(code) || code < 0 || code >= FLIP + VALUES)
    throw new RangeError(`No decision ${code}.`);
  if (code < DONE)
    return {
      do: "place",
      slot: Math.floor(code / PER_SLOT),
      dice: Math.floor((code % PER_SLOT) / FACES) + 1,
      effort: (code % FACES) + 1,
    };
  if (code >= FLIP) return { do: "flip", value: code - FLIP + 1 };
  if (code >= REROLL) return { do: "reroll", slot: code - REROLL };
  if (code >= TAKE) return { do: "take", slot: code - TAKE };
  return { do: (["done", "recover", "peek", "mend", "decline"] as const)[code - DONE] ?? "decline" };
}

/** What may be done besides claiming. */
export interface Openings {
  canRecover: boolean;
  canPeek: boolean;
  canMend: boolean;
  canDecline: boolean;
  takes: number[];
  rerolls: number[];
}

export function openingsIn(actions: readonly number[]): Openings {
  const found: Openings = {
    canRecover: actions.includes(RECOVER),
    canPeek: actions.includes(PEEK),
    canMend: actions.includes(MEND),
    canDecline: actions.includes(DECLINE),
    takes: [],
    rerolls: [],
  };
  for (const code of actions) {
    if (code < TAKE || code >= FLIP) continue;
    if (code < REROLL) found.takes.push(code - TAKE);
    else found.rerolls.push(code - REROLL);
  }
  return found;
}
