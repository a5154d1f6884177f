/** A claim that is not yet sent: it can be changed freely, and lives only as long as the turn it is for. */
import { LineLost } from "../wire/socket";
import { Refusal } from "../wire/rest";
import type { ClaimForm, Reason, WireAction, WirePlacement } from "../wire/types";
import { openingsIn, placementCode } from "./actions";
import { Claimable, why, type Choices, type Why } from "./choices";
import { lensOf, type Lens } from "./lens";
import { settings } from "./settings.svelte";
import type { ShownTable } from "./shown";

/** What a claim needs of a table. */
export type Stageable = Pick<ShownTable, "view" | "act"> & { stage: Pick<ShownTable["stage"], "view"> };

interface Staged extends WirePlacement {
  /** Whether somebody chose it; what was only suggested leaves with the next card that is looked at. */
  isChosen: boolean;
}

/** What went wrong with the last move. */
export type Trouble = { kind: "refused"; reason: Reason } | { kind: "lost" };

export class Staging {
  trouble = $state.raw<Trouble | null>(null);
  /** Whether a move is on its way: until it is answered, nothing else is sent. */
  isSending = $state(false);
  /** Whether somebody is asked if the turn should really pass. */
  asksToPass = $state(false);
  /** The card that dice are dragged over. */
  hovered = $state<number | null>(null);

  private told = $state.raw<{ moment: string; why: Why | null }>({ moment: "", why: null });
  private pointed = $state.raw<{ moment: string; slot: number } | null>(null);
  private draft = $state.raw<{ moment: string; staged: Staged[] }>({ moment: "", staged: [] });

  constructor(private readonly table: Stageable) {}

  /** The form of the turn to be taken, once the screen shows the round it belongs to. */
  get form(): ClaimForm | null {
    const { view, stage } = this.table;
    return view?.form && stage.view?.round === view.round ? view.form : null;
  }

  get selected(): number | null {
    return this.pointed?.moment === this.moment ? this.pointed.slot : null;
  }

  /** Why the last gesture of this turn had no effect, or another than expected. */
  get hint(): Why | null {
    return this.told.moment === this.moment ? this.told.why : null;
  }

  /** What is staged and legal, by slot. */
  get placements(): WirePlacement[] {
    return this.staged.map(({ slot, dice, effort }) => ({ slot, dice, effort }));
  }

  /** What to draw on the cards: it stays there until the screen shows it as placed. */
  get shown(): WirePlacement[] {
    const view = this.table.stage.view;
    return view && this.draft.moment === `${view.round}.${view.turn}` ? this.draft.staged : [];
  }

  get free(): number {
    return (this.form?.ready ?? 0) - diceOn(this.staged);
  }

  get choices(): Choices | null {
    return this.claimable?.choices(this.placed) ?? null;
  }

  get lens(): Lens | null {
    const { view } = this.table;
    const { form, placements } = this;
    return view && form && placements.length > 0 ? lensOf(view, form, placements) : null;
  }

  get canConfirm(): boolean {
    return this.staged.length > 0 && !this.isSending;
  }

  get canRecover(): boolean {
    return this.form !== null && !this.isSending && openingsIn(this.legal).canRecover;
  }

  /** Whether another card can be claimed with what is staged. */
  get canAddCard(): boolean {
    return this.placed !== null && this.free > 0 && this.form?.one_card_only === false;
  }

  /** Whether the selected card could be claimed with dice that are staged elsewhere. */
  get canGather(): boolean {
    const { selected } = this;
    return selected !== null && this.placed === null && this.on(selected, 0)?.easiest() != null;
  }

  /** Look at a card; if it can be claimed, with what it takes at least. */
  select(slot: number): void {
    if (this.isSending) return;
    this.forget();
    this.pointed = { moment: this.moment, slot };
    if (!this.form) {
      this.tell(why("page.pick.why.turn"));
      return;
    }
    if (this.staged.some((place) => place.slot === slot)) return;
    const chosen = this.staged.filter((place) => place.isChosen);
    const moves = this.form.one_card_only;
    const first = this.on(slot, moves ? 0 : diceOn(chosen))?.easiest();
    if (moves && first && chosen.length > 0) this.tell(why("page.pick.moved"));
    const others = moves && first ? [] : chosen;
    this.put(first ? [...others, { ...first, isChosen: false }] : others);
  }

  setDice(dice: number): void {
    const { claimable, placed } = this;
    if (!claimable || this.isSending) return;
    this.forget();
    const least = claimable.leastEffort(dice);
    if (least === null) {
      this.tell(claimable.whyNotDice(dice));
      return;
    }
    const wasLeast = !placed || placed.effort === claimable.leastEffort(placed.dice);
    const effort = wasLeast || !claimable.can(dice, placed.effort) ? least : placed.effort;
    this.choose({ slot: claimable.slot, dice, effort });
  }

  setEffort(effort: number): void {
    const { claimable } = this;
    if (!claimable || this.isSending) return;
    this.forget();
    const dice = this.placed?.dice ?? 1;
    const refusal = claimable.whyNotEffort(dice, effort);
    this.tell(refusal);
    if (!refusal) this.choose({ slot: claimable.slot, dice, effort });
  }

  /** The next number of dice that is possible, around the corner. */
  turnDice(): void {
    const possible =
      this.choices?.dice.filter((choice) => choice.isPossible).map((choice) => choice.value) ?? [];
    const now = this.placed?.dice ?? 0;
    const next = possible.find((dice) => dice > now) ?? possible[0];
    if (next === undefined) this.tell(this.choices?.why ?? null);
    else this.setDice(next);
  }

  /** One more die for a card, as by dragging it there. */
  addDie(slot: number): void {
    if (this.isSending) return;
    const isElsewhere = this.staged.some((place) => place.slot !== slot && place.isChosen);
    if (this.form?.one_card_only && isElsewhere) {
      this.tell(why("page.pick.why.one_card"));
      return;
    }
    const there = this.staged.find((place) => place.slot === slot);
    this.select(slot);
    if (there) this.setDice(there.dice + 1);
    else if (this.placed) this.choose(this.placed);
    else this.tell(this.choices?.why ?? null);
  }

  /** One die less, as by dragging it away; none where fewer would not do. */
  removeDie(slot: number): void {
    const there = this.staged.find((place) => place.slot === slot);
    if (!there || this.isSending) return;
    if (there.dice === 1 || this.on(slot, 0)?.leastEffort(there.dice - 1) == null) {
      this.remove(slot);
      return;
    }
    this.select(slot);
    this.setDice(there.dice - 1);
  }

  remove(slot: number): void {
    if (this.isSending) return;
    this.forget();
    this.put(this.staged.filter((place) => place.slot !== slot));
    if (this.selected === slot) this.pointed = null;
  }

  /** Leave the dice where they are, and go on to another card. */
  keep(): void {
    const { placed } = this;
    if (!placed || this.isSending) return;
    this.choose(placed);
    this.tell(why(this.form?.one_card_only ? "page.pick.why.one_card" : "page.pick.another_hint"));
    this.pointed = null;
  }

  /** Take all dice back from other cards for the selected one. */
  gather(): void {
    const { selected } = this;
    if (selected === null || this.isSending) return;
    this.put([]);
    this.select(selected);
  }

  clear(): void {
    if (this.isSending) return;
    this.forget();
    this.pointed = null;
    this.put([]);
  }

  async confirm(): Promise<boolean> {
    if (!this.canConfirm) return false;
    return this.send([{ do: "claim", place: this.placements }]);
  }

  /** Asks once more before a turn passes for nothing, unless that is not wanted. */
  async recover(): Promise<boolean> {
    const { view } = this.table;
    if (!this.canRecover || !view) return false;
    const isPass = view.seat !== null && view.seats[view.seat]?.exhausted === 0;
    if (isPass && settings.chosen.confirms && !this.asksToPass) {
      this.forget();
      this.asksToPass = true;
      return false;
    }
    this.asksToPass = false;
    return this.send([{ do: "recover" }]);
  }

  /** Makes a move; whether it was made. What was refused stays staged, as far as it is still legal. */
  async send(actions: WireAction[]): Promise<boolean> {
    if (this.isSending) return false;
    this.isSending = true;
    this.forget();
    try {
      await this.table.act(actions);
      return true;
    } catch (error) {
      if (error instanceof Refusal) this.trouble = { kind: "refused", reason: error.reason };
      else if (error instanceof LineLost) this.trouble = { kind: "lost" };
      else throw error;
      return false;
    } finally {
      this.isSending = false;
    }
  }

  /** Which turn a draft is for. */
  private get moment(): string {
    const { view } = this.table;
    return !view ? "" : this.form ? `${view.round}.${view.turn}` : `${view.round}`;
  }

  private get staged(): Staged[] {
    const { form, draft, legal } = this;
    if (!form || draft.moment !== this.moment) return [];
    const stillLegal = draft.staged.filter((place) => legal.includes(placementCode(place)));
    return diceOn(stillLegal) <= form.ready ? stillLegal : [];
  }

  private get legal(): readonly number[] {
    return this.table.view?.actions ?? [];
  }

  private get placed(): WirePlacement | null {
    return this.placements.find((place) => place.slot === this.selected) ?? null;
  }

  private get claimable(): Claimable | null {
    const { selected } = this;
    if (selected === null) return null;
    return this.on(selected, diceOn(this.staged.filter((place) => place.slot !== selected)));
  }

  private on(slot: number, elsewhere: number): Claimable | null {
    const { view } = this.table;
    return view && this.form && new Claimable(view, this.form, this.legal, slot, elsewhere);
  }

  private choose(place: WirePlacement): void {
    this.put([...this.staged.filter((other) => other.slot !== place.slot), { ...place, isChosen: true }]);
  }

  private put(staged: Staged[]): void {
    this.draft = { moment: this.moment, staged: staged.toSorted((one, other) => one.slot - other.slot) };
  }

  private tell(reason: Why | null): void {
    this.told = { moment: this.moment, why: reason };
  }

  private forget(): void {
    this.tell(null);
    this.trouble = null;
    this.asksToPass = false;
  }
}

function diceOn(placements: readonly WirePlacement[]): number {
  return placements.reduce((sum, place) => sum + place.dice, 0);
}
