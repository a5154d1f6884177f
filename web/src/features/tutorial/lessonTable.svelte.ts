/** A lesson's table: accepts the move of the current step and shows what follows. */
import type { Company, ShownTable } from "../../state/shown";
import { Stage } from "../../state/stage.svelte";
import type { GameEvent } from "../../state/table.svelte";
import type { View, WireAction } from "../../wire/types";
import { eventsBefore, viewAt, type Lesson, type Step } from "./lessons";

export class LessonTable implements ShownTable {
  readonly id = null;
  readonly info: Company;
  readonly seat = 0;
  readonly present: readonly boolean[] = [];
  readonly clock = null;
  readonly isPlayedByBot = false;
  readonly stage = new Stage();
  /** The current step, from 0. */
  at = $state(0);
  /** The wrong move that the user made. */
  wrongMove = $state.raw<WireAction | null>(null);
  events = $state.raw<readonly GameEvent[]>([]);
  private currentView = $state.raw<View>();

  /** Asks for decisions only within a step, after all earlier events are shown. */
  readonly view: View | null = $derived.by(() => {
    const currentView = this.currentView ?? this.lesson.start;
    return this.isAsked ? currentView : { ...currentView, actor: null, actions: [], form: null };
  });

  constructor(
    readonly lesson: Lesson,
    at = 0,
    name: string | null = null,
  ) {
    this.info = { settings: { players: 2 }, seats: [{ kind: "person", name }, { kind: "bot" }] };
    this.show(at);
  }

  get step(): Step {
    return this.lesson.steps[this.at] as Step;
  }

  /** Whether the step expects a move now. */
  get isAsked(): boolean {
    return this.step.do !== undefined && !this.stage.isBusy;
  }

  get isLastStep(): boolean {
    return this.at === this.lesson.steps.length - 1;
  }

  /** Jumps to a step; an unknown one starts the lesson. */
  show(at: number): void {
    this.at = this.lesson.steps[at] ? at : 0;
    this.wrongMove = null;
    this.currentView = viewAt(this.lesson, this.at);
    this.events = eventsBefore(this.lesson, this.at);
    this.stage.show(this.currentView);
    this.stage.lastEvents = this.events.slice(-1);
  }

  back(): void {
    if (this.at > 0) this.show(this.at - 1);
  }

  /** To the next step, once its events were shown. */
  goOn(): void {
    if (this.isLastStep) return;
    const { then } = this.step;
    this.wrongMove = null;
    this.at += 1;
    for (const { events, view } of then) {
      this.currentView = { ...(this.currentView ?? this.lesson.start), ...view };
      this.events = [...this.events, ...events];
      this.stage.play(events, this.currentView);
    }
  }

  /** A wrong move changes nothing; the coach shows the correction. */
  act(actions: WireAction[]): Promise<void> {
    const wanted = this.step.do;
    if (!wanted || this.stage.isBusy) return Promise.resolve();
    if (moveKey(actions) === moveKey(wanted)) this.goOn();
    else this.wrongMove = { ...(actions[0] as WireAction) };
    return Promise.resolve();
  }

  close(): void {
    this.stage.close();
  }
}

/** A canonical key: equal moves give equal strings. */
function moveKey(actions: readonly WireAction[]): string {
  return actions
    .map(({ do: verb, place = [], slot = null }) => {
      const places = place.map((put) => `${put.slot}:${put.dice}x${put.effort}`).sort();
      return [verb, slot, ...places].join(" ");
    })
    .join("; ");
}
