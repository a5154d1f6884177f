/**
 * Intermediate views between two views of the server, derived from events. No rules: what an event does not state
 * is unchanged, and the server's view follows after the last step.
 */
import type {
  CardView,
  RevealEvent,
  RollEvent,
  SeatView,
  SlotView,
  View,
  WirePlacement,
} from "../wire/types";
import { TYPES } from "./cards";
import type { Step } from "./steps";

export function patched(view: View, step: Step, final: View): View {
  return afterEvent(undecided(view), step, final);
}

/** The table before the dice of a throw lie. */
export function withDiceInHand(view: View): View {
  return { ...undecided(view), phase: "roll", actor: null };
}

function undecided(view: View): View {
  return { ...view, actions: [], form: null };
}

function afterEvent(view: View, step: Step, final: View): View {
  const { event } = step;
  switch (event.type) {
    case "reveal":
      if (step.kind === "pass") return passed(view, event, final);
      return {
        ...view,
        phase: "reveal",
        actor: null,
        round: event.round,
        leader: event.leader,
        lights_out: final.lights_out,
        turn: 0,
        row: final.round === event.round ? final.row.map(emptied) : [],
        seats: view.seats.map((seat) => ({ ...seat, has_peeked: false })),
        deck: final.deck,
        top: event.top,
        discards: final.discards,
      };
    case "claim":
      return placed(afterTurn(view), event.seat, event.place);
    case "ghost": {
      const ghost = view.seats.find((seat) => seat.is_ghost)?.seat ?? view.players;
      const newest = event.place.slice(Math.max(0, step.placed - 1), step.placed);
      return placed({ ...view, phase: "ghost", actor: ghost }, ghost, newest);
    }
    case "recover":
      return returned(afterTurn(view), event.seat, event.dice);
    case "rally":
      return returned({ ...view, phase: "collect", actor: null }, event.seat, event.dice);
    case "mend":
      return returned(flipped(view, event.seat, event.flip), event.seat, 1);
    case "peek":
      return peeked(flipped(view, event.seat, event.flip), event.seat, final);
    case "take":
      return taken(flipped(view, event.seat, event.flip), event.seat, [event.slot], final);
    case "roll":
      return rolled(view, step.logged as readonly RollEvent[]);
    case "reroll":
      return inRow(flipped(view, event.seat, event.flip), event.slot, (slot) => ({
        ...slot,
        failed: slot.failed - (event.rolled >= event.effort ? 1 : 0),
      }));
    case "collect": {
      const held = view.row.filter((slot) => slot.holder === event.seat).map((slot) => slot.slot);
      return sentHome(taken({ ...view, phase: "collect", actor: null }, event.seat, held, final), event.seat);
    }
    case "idols":
      return Object.entries(event.flips).reduce(
        (after, [seat, cards]) =>
          ofSeat(flipped(after, Number(seat), cards), Number(seat), (one) => ({ ...one, won_idols: true })),
        view,
      );
    case "tiebreak":
    case "end":
      return { ...view, actor: null };
  }
}

/** All dice return home, the torches pass on. */
function passed(view: View, { leader }: RevealEvent, { lights_out }: View): View {
  const home = view.seats.reduce((before, { seat }) => sentHome(before, seat), view);
  return { ...home, phase: "torch", actor: null, leader, lights_out };
}

function afterTurn(view: View): View {
  return { ...view, phase: "claim", actor: null, turn: view.turn + 1 };
}

function emptied(slot: SlotView): SlotView {
  return { ...slot, holder: null, dice: 0, effort: 0, failed: 0 };
}

function inRow(view: View, slot: number, change: (slot: SlotView) => SlotView): View {
  return { ...view, row: view.row.map((one) => (one.slot === slot ? change(one) : one)) };
}

function ofSeat(view: View, seat: number, change: (seat: SeatView) => SeatView): View {
  return { ...view, seats: view.seats.map((one) => (one.seat === seat ? change(one) : one)) };
}

/** Puts dice on their cards; those of the former holder return home. */
function placed(view: View, seat: number, places: readonly WirePlacement[]): View {
  return places.reduce((before, { slot, dice, effort }) => {
    const former = before.row.find((one) => one.slot === slot);
    const pushed =
      former?.holder == null
        ? before
        : ofSeat(before, former.holder, (one) => ({ ...one, ready: one.ready + former.dice }));
    const spent = ofSeat(pushed, seat, (one) => ({ ...one, ready: Math.max(0, one.ready - dice) }));
    return inRow(spent, slot, (one) => ({ ...one, holder: seat, dice, effort, failed: 0 }));
  }, view);
}

function returned(view: View, seat: number, dice: number): View {
  return ofSeat(view, seat, (one) => ({
    ...one,
    ready: one.ready + dice,
    exhausted: Math.max(0, one.exhausted - dice),
  }));
}

function rolled(view: View, rolls: readonly RollEvent[]): View {
  return rolls.reduce(
    (before, roll) =>
      inRow(before, roll.slot, (slot) => ({
        ...slot,
        failed: roll.rolled.filter((face) => face < roll.effort).length,
      })),
    view,
  );
}

/** Applies what the viewer learnt about face-down cards. */
function peeked(view: View, seat: number, final: View): View {
  const known = new Map(final.row.map((slot) => [slot.card?.number, slot.card]));
  const row = view.row.map((slot) => ({ ...slot, card: known.get(slot.card?.number) ?? slot.card }));
  return ofSeat({ ...view, row }, seat, (one) => ({ ...one, has_peeked: true }));
}

/** Moves cards from the row to a seat, with the values that the final view shows. */
function taken(view: View, seat: number, slots: readonly number[], final: View): View {
  const known = new Map(final.seats[seat]?.cards.map((card) => [card.number, card]));
  const cards = view.row
    .filter((slot) => slots.includes(slot.slot) && slot.card !== null)
    .map((slot) => slot.card as CardView)
    .map((card) => ({ ...(known.get(card.number) ?? card), is_flipped: false }));
  const row = view.row.map((slot) => (slots.includes(slot.slot) ? { ...slot, card: null } : slot));
  return ofSeat({ ...view, row }, seat, (one) => counted({ ...one, cards: [...one.cards, ...cards] }));
}

/** Dice that failed are exhausted, the others ready. */
function sentHome(view: View, seat: number): View {
  const held = view.row.filter((slot) => slot.holder === seat);
  const failed = held.reduce((sum, slot) => sum + slot.failed, 0);
  const dice = held.reduce((sum, slot) => sum + slot.dice, 0);
  const row = view.row.map((slot) => (slot.holder === seat ? emptied(slot) : slot));
  return ofSeat({ ...view, row }, seat, (one) => ({
    ...one,
    ready: one.ready + dice - failed,
    exhausted: one.exhausted + failed,
  }));
}

/** Turns cards over by type and value; of equal ones the public ones first. */
function flipped(view: View, seat: number, texts: readonly string[]): View {
  return ofSeat(view, seat, (one) => {
    const cards = [...one.cards];
    for (const text of texts) {
      const index = flippable(cards, text);
      const card = cards[index];
      if (card) cards[index] = { ...card, value: Number(text[1]), is_public: true, is_flipped: true };
    }
    return counted({ ...one, cards });
  });
}

function flippable(cards: readonly CardView[], text: string): number {
  const isCandidate = (card: CardView) => !card.is_flipped && card.type === text[0];
  const isTold = (card: CardView) => isCandidate(card) && card.value === Number(text[1]);
  const open = cards.findIndex((card) => isTold(card) && card.is_public);
  if (open >= 0) return open;
  const own = cards.findIndex(isTold);
  return own >= 0 ? own : cards.findIndex((card) => isCandidate(card) && card.value === null);
}

function counted(seat: SeatView): SeatView {
  const count = (cards: CardView[]) => TYPES.map((type) => cards.filter((card) => card.type === type).length);
  return {
    ...seat,
    held: count(seat.cards),
    unflipped: count(seat.cards.filter((card) => !card.is_flipped)),
  };
}
