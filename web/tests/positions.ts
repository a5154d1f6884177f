/** Views in wire format for tests. */
import { placementCode } from "../src/state/actions";
import type { CardView, ClaimForm, SlotView, View } from "../src/wire/types";
import { card as numberedCard, seat, slot as slotWith } from "./games";

export { seat };

export const RECOVER = 109;
export const PEEK = 110;
export const MEND = 111;
export const DECLINE = 112;
export const TAKE = 113;
export const REROLL = 119;

export function card(text: string, changes: Partial<CardView> = {}): CardView {
  return numberedCard(0, text, { is_public: true, ...changes });
}

export function slot(index: number, there: CardView | null, changes: Partial<SlotView> = {}): SlotView {
  return slotWith(index, "I1", { card: there, ...changes });
}

/** What the server lists for a form: every placement that reaches the least total. */
export function placementsFor(form: ClaimForm): number[] {
  const found: number[] = [];
  form.least.forEach((least, index) => {
    for (let dice = 1; dice <= form.ready; dice += 1)
      for (let effort = 1; effort <= 6; effort += 1)
        if (least !== null && dice * effort >= least)
          found.push(placementCode({ slot: index, dice, effort }));
  });
  return found;
}

export const EXHAUSTION: [number, number][] = [
  [0, 1],
  [1, 6],
  [1, 3],
  [1, 2],
  [2, 3],
  [5, 6],
];

/**
 * Three play, seat 0 is to claim with three dice ready. The Idol is held by Bo with 1 x 5, the Tapestry by nobody,
 * the Pottery by oneself, the Jewelry lies face-down and is held by Cy with 3 x 6.
 */
export function claimView(changes: Partial<View> = {}, formChanges: Partial<ClaimForm> = {}): View {
  const form: ClaimForm = {
    ready: 3,
    least: [6, 1, null, 19],
    one_card_only: false,
    exhaustion: EXHAUSTION,
    rivals: [
      [1, 2],
      [2, 0],
    ],
    ...formChanges,
  };
  return {
    seat: 0,
    players: 3,
    is_solo: false,
    collectors: "AABBAB",
    round: 3,
    rounds: 9,
    phase: "claim",
    actor: 0,
    leader: 0,
    lights_out: 2,
    turn: 0,
    turns: 3,
    is_last_turn: form.one_card_only,
    decisions: 20,
    row: [
      slot(0, card("I4"), { holder: 1, dice: 1, effort: 5 }),
      slot(1, card("T3")),
      slot(2, card("P2"), { holder: 0, dice: 1, effort: 2 }),
      slot(3, card("J?", { odds: [1, 2, 0, 1], is_public: false }), {
        is_down: true,
        holder: 2,
        dice: 3,
        effort: 6,
      }),
    ],
    seats: [seat(0), seat(1, { ready: 2 }), seat(2, { ready: 0 })],
    deck: 24,
    top: "R",
    discards: [],
    unseen: {},
    scores: [0, 0, 0],
    form,
    actions: [...placementsFor(form), RECOVER],
    ...changes,
  };
}
