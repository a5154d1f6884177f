/** A table that shows recorded events: at any moment, or played forward as they happened. */
import type { Company, ShownTable } from "../../state/shown";
import { patched } from "../../state/patches";
import { Stage } from "../../state/stage.svelte";
import { settings, type Speed } from "../../state/settings.svelte";
import { stepsOf } from "../../state/steps";
import type { GameEvent } from "../../state/table.svelte";
import type { RecordedFrame, View, WireAction } from "../../wire/types";

/** Events that are shown together (at least one), and the table after them. */
export type Frame = RecordedFrame;

/** The table after an event: the frame's view, or one patched from the events before the frame's end. */
export function viewAfter(frames: readonly Frame[], n: number): View | null {
  const index = frames.findIndex(({ events }) => (events.at(-1)?.n ?? -1) >= n);
  const frame = frames[index];
  if (!frame) return frames.at(-1)?.view ?? null;
  const events = frame.events.filter((event) => event.n <= n);
  if (events.length === frame.events.length) return frame.view;
  const before = frames[index - 1]?.view ?? frame.view;
  const steps = stepsOf(events, { seat: frame.view.seat, speed: "instant", throwsByHand: false });
  return steps.reduce((view, step) => patched(view, step, frame.view), before);
}

export function movesIn(frames: readonly Frame[]): GameEvent[][] {
  const moves: GameEvent[][] = [];
  frames.forEach(({ move, events }, index) => {
    if (frames[index - 1]?.move === move) moves.at(-1)?.push(...events);
    else moves.push([...events]);
  });
  return moves;
}

export class RecordedTable implements ShownTable {
  /** In order; event numbers have no gaps. */
  frames = $state.raw<readonly Frame[]>([]);
  /** The number of the last event reached. */
  at = $state(0);
  readonly id = null;
  readonly info: Company;
  readonly stage: Stage;
  readonly present: readonly boolean[] = [];
  readonly clock = null;
  /** True where the viewer never decides: all turns then count as another seat's. */
  readonly isPlayedByBot: boolean;
  /** Whether the viewer's own dice wait for a throw gesture, if the settings ask for it. */
  mayThrow = false;
  /** Handles a move: ignored in a replay, checked in a lesson. May throw a Refusal. */
  answer: (actions: WireAction[]) => Promise<void> = () => Promise.resolve();

  readonly all: readonly GameEvent[] = $derived.by(() => this.frames.flatMap(({ events }) => events));
  /** The events of each move. */
  readonly moves: readonly GameEvent[][] = $derived.by(() => movesIn(this.frames));
  readonly view: View | null = $derived.by(() => viewAfter(this.frames, this.at));
  readonly events: readonly GameEvent[] = $derived.by(() => this.all.filter(({ n }) => n <= this.at));

  /** `speed` is that of the settings by default; `isOnlyShown` for tables without moves by the viewer. */
  constructor(
    info: Company,
    frames: readonly Frame[],
    { speed = () => settings.speed, isReadOnly = false }: { speed?: () => Speed; isReadOnly?: boolean } = {},
  ) {
    this.info = info;
    this.isPlayedByBot = isReadOnly;
    this.frames = frames;
    this.stage = new Stage(speed);
    this.show(this.first);
  }

  get seat(): number | null {
    return this.view?.seat ?? null;
  }

  /** The number of the last event shown, while the stage still plays later ones. */
  get now(): number {
    return Math.max(this.first, Math.min(this.at, this.stage.firstUnshown - 1));
  }

  /** The number of the first event. */
  get first(): number {
    return this.all[0]?.n ?? 0;
  }

  /** The number of the last event. */
  get last(): number {
    return this.all.at(-1)?.n ?? 0;
  }

  get isAtEnd(): boolean {
    return this.at >= this.last;
  }

  /** Jumps to the moment after an event. */
  show(at: number): void {
    this.at = Math.min(Math.max(at, this.first), this.last);
    this.stage.show(this.view);
    this.stage.lastEvents = this.all.filter(({ n }) => n === this.at);
  }

  /** Plays forward to the moment after an event, move by move; jumps if it lies before. */
  play(to: number): void {
    if (to <= this.at) {
      this.show(to);
      return;
    }
    const from = this.at;
    this.at = Math.min(to, this.last);
    for (const events of this.moves) {
      const upcoming = events.filter(({ n }) => n > from && n <= this.at);
      const view = upcoming.length > 0 && viewAfter(this.frames, upcoming.at(-1)?.n ?? this.at);
      if (view) this.stage.play(upcoming, view, this.mayThrow);
    }
  }

  act(actions: WireAction[]): Promise<void> {
    return this.answer(actions);
  }

  close(): void {
    this.stage.close();
  }
}
