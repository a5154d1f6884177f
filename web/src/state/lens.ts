/** Risks and benefits of a staged claim, computed from the server's form. */
import type { CardView, ClaimForm, View, WirePlacement } from "../wire/types";
import { FACES } from "./actions";
import { against, fraction, ONE, plus, times, toPower, ZERO, type Fraction } from "./fractions";

/** Dice that return to their owner, ready. */
export interface Push {
  seat: number;
  dice: number;
  total: number;
}

export interface Way {
  dice: number;
  effort: number;
}

/** An opponent who could still push these dice out. */
export interface Threat {
  seat: number;
  isGhost: boolean;
  ready: number;
  /** The minimum total needed. */
  needed: number;
  /** For each useful number of dice the minimum effort; the fewest dice first. */
  ways: Way[];
}

/** The average in coins; null if the server gives no odds. */
export interface Worth {
  coins: Fraction;
  isCertain: boolean;
}

/** One staged card. */
export interface CardLens extends WirePlacement {
  total: number;
  /** The probability that a die here is exhausted. */
  risk: Fraction;
  push: Push | null;
  threats: Threat[];
  worth: Worth | null;
}

/** The whole staged claim. */
export interface Lens {
  cards: CardLens[];
  staged: number;
  /** The expected number of staged dice that stay ready, if nobody pushes them out. */
  kept: Fraction;
  allSurvive: Fraction;
  /** Whether another seat has a turn after this one. */
  hasRivals: boolean;
}

export function worthOf(card: CardView): Worth | null {
  if (card.value !== null) return { coins: fraction(card.value), isCertain: true };
  if (card.odds === null) return null;
  const unseen = card.odds.reduce((sum, count) => sum + count, 0);
  if (unseen === 0) return null;
  const coins = card.odds.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return { coins: fraction(coins, unseen), isCertain: card.odds.filter((count) => count > 0).length === 1 };
}

/** More dice are listed only if they need less effort. */
export function waysToBeat(total: number, ready: number): Way[] {
  const ways: Way[] = [];
  for (let dice = 1; dice <= ready; dice += 1) {
    const effort = Math.floor(total / dice) + 1;
    if (effort <= (ways.at(-1)?.effort ?? FACES + 1) - 1) ways.push({ dice, effort });
  }
  return ways;
}

function riskOf(form: ClaimForm, effort: number): Fraction {
  return form.exhaustion[effort - 1] ?? ZERO;
}

function pushBy(view: View, place: WirePlacement): Push | null {
  const held = view.row[place.slot];
  if (!held || held.holder === null) return null;
  return { seat: held.holder, dice: held.dice, total: held.dice * held.effort };
}

export function lensOf(view: View, form: ClaimForm, placements: readonly WirePlacement[]): Lens {
  const pushes = placements.map((place) => pushBy(view, place));
  const rivals = form.rivals.map(([seat, ready]) => ({
    seat,
    isGhost: view.seats[seat]?.is_ghost ?? false,
    ready: pushes.reduce((sum, push) => (push?.seat === seat ? sum + push.dice : sum), ready),
  }));
  const cards = placements.map((place, index): CardLens => {
    const total = place.dice * place.effort;
    const card = view.row[place.slot]?.card ?? null;
    return {
      slot: place.slot,
      dice: place.dice,
      effort: place.effort,
      total,
      risk: riskOf(form, place.effort),
      push: pushes[index] ?? null,
      threats: rivals
        .map((rival) => ({ ...rival, needed: total + 1, ways: waysToBeat(total, rival.ready) }))
        .filter((threat) => threat.ways.length > 0),
      worth: card && worthOf(card),
    };
  });
  return {
    cards,
    staged: cards.reduce((sum, card) => sum + card.dice, 0),
    kept: cards.reduce((sum, card) => plus(sum, times(fraction(card.dice), against(card.risk))), ZERO),
    allSurvive: cards.reduce((sum, card) => times(sum, toPower(against(card.risk), card.dice)), ONE),
    hasRivals: rivals.length > 0,
  };
}
