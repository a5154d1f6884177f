/** Legal elementary actions by the server's codes (`royalcrypt.rules.actions`). */
import type { WirePlacement } from "../wire/types";

export const FACES = 6;
export const SERVANTS = 3;
const SLOTS = 6;

const PER_SLOT = SERVANTS * FACES;
const DONE = SLOTS * PER_SLOT;
const RECOVER = DONE + 1;
const PEEK = RECOVER + 1;
const MEND = PEEK + 1;
const DECLINE = MEND + 1;
const TAKE = DECLINE + 1;
const REROLL = TAKE + SLOTS;
const FLIP = REROLL + SLOTS;

export function placementCode({ slot, dice, effort }: WirePlacement): number {
  return slot * PER_SLOT + (dice - 1) * FACES + effort - 1;
}

/** The legal actions other than claims. */
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
