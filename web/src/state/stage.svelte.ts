/** The table on screen: plays the server's events one by one at the chosen speed. */
import type { View } from "../wire/types";
import { cues } from "./cues";
import { patched, withDiceInHand } from "./patches";
import { settings, type Speed } from "./settings.svelte";
import { facesAfter, PACES, stepsOf, type Faces, type Step } from "./steps";
import type { GameEvent } from "./table.svelte";

/** The state of a step: its dice wait for a throw, they tumble, or its events are shown. */
export type Moment = "waiting" | "tumbling" | "shown";

/** Applies a change of the view and animates everything that moves, in milliseconds. */
export type Mover = (change: () => void, duration: number) => void;

interface Scene {
  events: readonly GameEvent[];
  view: View;
  mayThrow: boolean;
}

/** With more queued updates, the stage skips to the last one. */
const MAX_QUEUE = 4;
/** Milliseconds after which unthrown dice roll by themselves. */
export const TIMEOUT = 8000;

export class Stage {
  /** The view on screen. */
  view = $state.raw<View | null>(null);
  /** The step being played, if any. */
  now = $state.raw<Step | null>(null);
  moment = $state<Moment>("shown");
  /** The number of the first event not yet shown; the log ends before it. */
  firstUnshown = $state(Infinity);
  /** The events shown last. */
  lastEvents = $state.raw<readonly GameEvent[]>([]);
  /** Faces of the dice on cards after their roll, by slot. */
  faces = $state.raw<Faces>({});
  /** Set by the component that draws the table. */
  move: Mover = (change) => change();

  /** The view after the last completed step. */
  private restView: View | null = null;
  private queue: Scene[] = [];
  private scene: Scene | null = null;
  private steps: Step[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `speed` is read at every step. */
  constructor(private readonly speed: () => Speed = () => settings.speed) {
    document.addEventListener("visibilitychange", this.reconnectNow);
  }

  get isBusy(): boolean {
    return this.now !== null;
  }

  get isWaitingForThrow(): boolean {
    return this.now !== null && this.moment === "waiting";
  }

  /** Shows a view at once. */
  show(view: View | null): void {
    this.clear();
    this.firstUnshown = Infinity;
    this.view = this.restView = view;
  }

  /** Queues events and the view after them. `mayThrow` unless a bot plays for the viewer. */
  play(events: readonly GameEvent[], view: View, mayThrow = true): void {
    this.queue.push({ events, view, mayThrow });
    if (!this.isBusy) this.firstUnshown = events[0]?.n ?? Infinity;
    if (document.hidden || this.speed() === "instant" || this.view === null) this.skip();
    else if (!this.isBusy) this.beginScene();
    else if (this.isLate && !this.isWaitingForThrow) this.skip();
  }

  /** The viewer throws the dice. */
  throwDice(): void {
    if (this.isWaitingForThrow) this.tumble();
  }

  /** Ends the current step early. */
  finishStep(): void {
    if (this.isWaitingForThrow || this.moment === "tumbling") this.complete();
    else if (this.isBusy) this.next();
  }

  /** Skips all queued steps. */
  skip(): void {
    const view = this.queue.at(-1)?.view ?? this.scene?.view;
    if (!view) return;
    const current = this.now && this.moment !== "shown" ? this.now.logged : [];
    const queued = this.steps.flatMap((step) => step.logged);
    const lastEvents = [...current, ...queued, ...this.queue.flatMap((scene) => scene.events)];
    if (!document.hidden) cues.onCue?.({ type: "skipped", events: lastEvents, before: this.view });
    this.clear();
    this.view = view;
    this.firstUnshown = Infinity;
    if (lastEvents.length > 0) this.lastEvents = lastEvents;
    this.settle();
  }

  close(): void {
    this.clear();
    document.removeEventListener("visibilitychange", this.reconnectNow);
  }

  private readonly reconnectNow = (): void => {
    if (document.hidden) this.skip();
  };

  private get isLate(): boolean {
    return this.queue.length > MAX_QUEUE;
  }

  private clear(): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.steps = [];
    this.scene = null;
    this.now = null;
    this.moment = "shown";
    this.faces = {};
  }

  private beginScene(): void {
    this.scene = this.queue.shift() ?? null;
    if (!this.scene) return this.rest();
    const { events, view, mayThrow } = this.scene;
    this.steps = stepsOf(events, {
      seat: view.seat,
      speed: this.speed(),
      throwsByHand: settings.chosen.throwsByHand && mayThrow,
    });
    this.next();
  }

  private rest(): void {
    this.now = null;
    this.firstUnshown = Infinity;
    this.settle();
  }

  private settle(): void {
    if (this.view && !document.hidden) cues.onCue?.({ type: "rest", before: this.restView, view: this.view });
    this.restView = this.view;
  }

  private next(): void {
    clearTimeout(this.timer);
    const step = this.steps.shift();
    if (step) this.begin(step);
    else if (this.isLate) this.skip();
    else this.endScene();
  }

  private endScene(): void {
    const view = this.scene?.view;
    if (view && this.view !== view) this.view = view;
    this.beginScene();
  }

  private begin(step: Step): void {
    this.now = step;
    if (step.kind === "roll" && this.view) this.view = withDiceInHand(this.view);
    if (step.waitsForThrow) {
      this.moment = "waiting";
      this.timer = setTimeout(() => this.throwDice(), TIMEOUT);
    } else if (step.suspense > 0) this.tumble();
    else this.complete();
  }

  private tumble(): void {
    clearTimeout(this.timer);
    this.moment = "tumbling";
    if (this.now) cues.onCue?.({ type: "tumble", step: this.now });
    this.timer = setTimeout(() => this.complete(), this.now?.suspense);
  }

  /** Completes the step: its log lines and its view are shown. */
  private complete(): void {
    clearTimeout(this.timer);
    const step = this.now;
    if (!step || !this.scene || !this.view) return;
    const { view: before } = this;
    const { view: final } = this.scene;
    this.moment = "shown";
    cues.onCue?.({ type: "shown", step, before });
    this.faces = facesAfter(this.faces, step);
    const after = this.steps.length > 0 ? patched(before, step, final) : final;
    this.move(() => (this.view = after), PACES[this.speed()].travel);
    const last = step.logged.at(-1);
    if (last) {
      this.firstUnshown = last.n + 1;
      this.lastEvents = step.logged;
    }
    this.timer = setTimeout(() => this.next(), step.duration);
  }
}
