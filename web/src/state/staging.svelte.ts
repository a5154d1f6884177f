/** A claim before it is sent: freely editable, and valid for one turn. */
import { ConnectionLost } from "../wire/socket";
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
  /** Whether the user chose it; suggestions disappear when another card is selected. */
  isChosen: boolean;
}

/** The error of the last move. */
export type Trouble = { kind: "refused"; reason: Reason } | { kind: "lost" };

export class Staging {
  trouble = $state.raw<Trouble | null>(null);
  /** Whether a move is pending; nothing else is sent meanwhile. */
  isSending = $state(false);
  /** Whether the confirmation to pass is open. */
  isConfirmingPass = $state(false);
  /** The card under the dragged dice. */
  hovered = $state<number | null>(null);

  private lastHint = $state.raw<{ moment: string; why: Why | null }>({ moment: "", why: null });
  private pointed = $state.raw<{ moment: string; slot: number } | null>(null);
  private draft = $state.raw<{ moment: string; staged: Staged[] }>({ moment: "", staged: [] });

  constructor(private readonly table: Stageable) {}

  /** The form of the turn, once the screen shows its round. */
  get form(): ClaimForm | null {
    const { view, stage } = this.table;
    return view?.form && stage.view?.round === view.round ? view.form : null;
  }

  get selected(): number | null {
    return this.pointed?.moment === this.moment ? this.pointed.slot : null;
  }

  /** Why the last input of this turn had no effect or an unexpected one. */
  get hint(): Why | null {
    return this.lastHint.moment === this.moment ? this.lastHint.why : null;
  }

  /** The legal staged placements, by slot. */
  get placements(): WirePlacement[] {
    return this.staged.map(({ slot, dice, effort }) => ({ slot, dice, effort }));
  }

  /** The placements to draw; they stay until the screen shows the dice as placed. */
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

  /** Whether another card can be claimed in addition to the staged ones. */
  get canAddCard(): boolean {
    return this.placed !== null && this.free > 0 && this.form?.one_card_only === false;
  }

  /** Whether the selected card could be claimed with dice staged elsewhere. */
  get canGather(): boolean {
    const { selected } = this;
    return selected !== null && this.placed === null && this.on(selected, 0)?.easiest() != null;
  }

  /** Selects a card and, if possible, stages the cheapest claim. */
  select(slot: number): void {
    if (this.isSending) return;
    this.clearHint();
    this.pointed = { moment: this.moment, slot };
    if (!this.form) {
      this.setHint(why("page.pick.why.turn"));
      return;
    }
    if (this.staged.some((place) => place.slot === slot)) return;
    const chosen = this.staged.filter((place) => place.isChosen);
    const moves = this.form.one_card_only;
    const first = this.on(slot, moves ? 0 : diceOn(chosen))?.easiest();
    if (moves && first && chosen.length > 0) this.setHint(why("page.pick.moved"));
    const others = moves && first ? [] : chosen;
    this.put(first ? [...others, { ...first, isChosen: false }] : others);
  }

  setDice(dice: number): void {
    const { claimable, placed } = this;
    if (!claimable || this.isSending) return;
    this.clearHint();
    const least = claimable.leastEffort(dice);
    if (least === null) {
      this.setHint(claimable.whyNotDice(dice));
      return;
    }
    const wasLeast = !placed || placed.effort === claimable.leastEffort(placed.dice);
    const effort = wasLeast || !claimable.can(dice, placed.effort) ? least : placed.effort;
    this.choose({ slot: claimable.slot, dice, effort });
  }

  setEffort(effort: number): void {
    const { claimable } = this;
    if (!claimable || this.isSending) return;
    this.clearHint();
    const dice = this.placed?.dice ?? 1;
    const refusal = claimable.whyNotEffort(dice, effort);
    this.setHint(refusal);
    if (!refusal) this.choose({ slot: claimable.slot, dice, effort });
  }

  /** The next possible number of dice, starting over after the last. */
  turnDice(): void {
    const possible =
      this.choices?.dice.filter((choice) => choice.isPossible).map((choice) => choice.value) ?? [];
    const now = this.placed?.dice ?? 0;
    const next = possible.find((dice) => dice > now) ?? possible[0];
    if (next === undefined) this.setHint(this.choices?.why ?? null);
    else this.setDice(next);
  }

  /** One more die, for example by dragging. */
  addDie(slot: number): void {
    if (this.isSending) return;
    const isElsewhere = this.staged.some((place) => place.slot !== slot && place.isChosen);
    if (this.form?.one_card_only && isElsewhere) {
      this.setHint(why("page.pick.why.one_card"));
      return;
    }
    const there = this.staged.find((place) => place.slot === slot);
    this.select(slot);
    if (there) this.setDice(there.dice + 1);
    else if (this.placed) this.choose(this.placed);
    else this.setHint(this.choices?.why ?? null);
  }

  /** One die less; removes the last ones where fewer are not possible. */
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
    this.clearHint();
    this.put(this.staged.filter((place) => place.slot !== slot));
    if (this.selected === slot) this.pointed = null;
  }

  /** Keeps the staged dice and selects another card. */
  keep(): void {
    const { placed } = this;
    if (!placed || this.isSending) return;
    this.choose(placed);
    this.setHint(why(this.form?.one_card_only ? "page.pick.why.one_card" : "page.pick.another_hint"));
    this.pointed = null;
  }

  /** Takes all dice from other cards for the selected one. */
  gather(): void {
    const { selected } = this;
    if (selected === null || this.isSending) return;
    this.put([]);
    this.select(selected);
  }

  clear(): void {
    if (this.isSending) return;
    this.clearHint();
    this.pointed = null;
    this.put([]);
  }

  async confirm(): Promise<boolean> {
    if (!this.canConfirm) return false;
    return this.send([{ do: "claim", place: this.placements }]);
  }

  /** Asks for confirmation before a pass without effect, unless that is switched off. */
  async recover(): Promise<boolean> {
    const { view } = this.table;
    if (!this.canRecover || !view) return false;
    const isPass = view.seat !== null && view.seats[view.seat]?.exhausted === 0;
    if (isPass && settings.chosen.confirms && !this.isConfirmingPass) {
      this.clearHint();
      this.isConfirmingPass = true;
      return false;
    }
    this.isConfirmingPass = false;
    return this.send([{ do: "recover" }]);
  }

  /** Sends a move; returns whether it was accepted. A refused claim stays staged as far as it is legal. */
  async send(actions: WireAction[]): Promise<boolean> {
    if (this.isSending) return false;
    this.isSending = true;
    this.clearHint();
    try {
      await this.table.act(actions);
      return true;
    } catch (error) {
      if (error instanceof Refusal) this.trouble = { kind: "refused", reason: error.reason };
      else if (error instanceof ConnectionLost) this.trouble = { kind: "lost" };
      else throw error;
      return false;
    } finally {
      this.isSending = false;
    }
  }

  /** Identifies the turn of a draft. */
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

  private setHint(reason: Why | null): void {
    this.lastHint = { moment: this.moment, why: reason };
  }

  private clearHint(): void {
    this.setHint(null);
    this.trouble = null;
    this.isConfirmingPass = false;
  }
}

function diceOn(placements: readonly WirePlacement[]): number {
  return placements.reduce((sum, place) => sum + place.dice, 0);
}
