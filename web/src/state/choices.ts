/** The possible claims on a card and the reasons against others, from the server's form and legal actions. */
import type { Details, Key } from "../i18n/index.svelte";
import type { ClaimForm, View, WirePlacement } from "../wire/types";
import { FACES, placementCode, SERVANTS } from "./actions";
import type { Fraction } from "./fractions";

/** A message that is not yet translated. */
export interface Why {
  key: Key;
  details: Details;
}

export interface Choice {
  value: number;
  isPossible: boolean;
  isChosen: boolean;
  /** Whether it is the least effort that pushes out the card's holder. */
  isLeast: boolean;
  risk: Fraction | null;
  why: Why | null;
}

export interface Choices {
  dice: Choice[];
  effort: Choice[];
  /** Why the card cannot be claimed at all. */
  why: Why | null;
}

export function why(key: Key, details: Details = {}): Why {
  return { key, details };
}

/** A card and the dice available for it. */
export class Claimable {
  private readonly least: number | null;

  constructor(
    private readonly view: View,
    private readonly form: ClaimForm,
    private readonly legal: readonly number[],
    readonly slot: number,
    /** Dice staged on other cards. */
    private readonly elsewhere: number,
  ) {
    this.least = form.least[slot] ?? null;
  }

  get free(): number {
    return this.form.ready - this.elsewhere;
  }

  can(dice: number, effort: number): boolean {
    return dice <= this.free && this.legal.includes(placementCode({ slot: this.slot, dice, effort }));
  }

  /** The lowest sufficient effort for a number of dice. */
  leastEffort(dice: number): number | null {
    for (let effort = 1; effort <= FACES; effort += 1) if (this.can(dice, effort)) return effort;
    return null;
  }

  /** The fewest dice, then the lowest effort. */
  easiest(): WirePlacement | null {
    for (let dice = 1; dice <= SERVANTS; dice += 1) {
      const effort = this.leastEffort(dice);
      if (effort !== null) return { slot: this.slot, dice, effort };
    }
    return null;
  }

  whyNot(): Why | null {
    const { form, least } = this;
    if (this.easiest()) return null;
    if (!this.view.row[this.slot]?.card) return why("page.pick.why.gone");
    if (least === null) return why("page.pick.why.own");
    if (form.ready === 0) return why("page.pick.why.none_ready");
    if (this.free === 0) return why("page.pick.why.all_elsewhere");
    const most = form.ready * FACES;
    if (least > most) return why("page.pick.why.too_strong", { held: least - 1, count: form.ready, most });
    return why("page.pick.why.elsewhere", { count: this.free });
  }

  whyNotDice(dice: number): Why | null {
    if (this.leastEffort(dice) !== null) return null;
    const whole = this.whyNot();
    if (whole) return whole;
    if (dice > this.form.ready) return why("page.pick.why.too_few", { count: this.form.ready });
    if (dice > this.free) return why("page.pick.why.elsewhere", { count: this.free });
    return why("page.pick.why.reach", { count: dice, most: dice * FACES, needed: this.least ?? 0 });
  }

  whyNotEffort(dice: number, effort: number): Why | null {
    if (this.can(dice, effort)) return null;
    const whole = this.whyNotDice(dice);
    if (whole) return whole;
    const details = { dice, effort, total: dice * effort, needed: this.least ?? 0 };
    for (let more = dice + 1; more <= this.free; more += 1)
      if (this.can(more, effort)) return why("page.pick.why.low_here", { ...details, count: more });
    return why("page.pick.why.low", details);
  }

  choices(placed: WirePlacement | null): Choices {
    const dice = placed?.dice ?? 1;
    const isHeld = this.view.row[this.slot]?.holder != null;
    const least = this.leastEffort(dice);
    return {
      why: this.whyNot(),
      dice: upTo(SERVANTS).map((value) => ({
        value,
        isPossible: this.leastEffort(value) !== null,
        isChosen: placed?.dice === value,
        isLeast: false,
        risk: null,
        why: this.whyNotDice(value),
      })),
      effort: upTo(FACES).map((value) => ({
        value,
        isPossible: this.can(dice, value),
        isChosen: placed?.effort === value,
        isLeast: isHeld && value === least,
        risk: this.form.exhaustion[value - 1] ?? null,
        why: this.whyNotEffort(dice, value),
      })),
    };
  }
}

function upTo(most: number): number[] {
  return Array.from({ length: most }, (_, index) => index + 1);
}
