/** The end of a game, shown step by step and then as a whole. */
import { recordOf, type GameRecord } from "./record";
import { sheetOf, stepsOf, type Sheet, type Step } from "./scoring";
import { settings, type Speed } from "./settings.svelte";
import { isMarked, mark } from "./storage";
import type { GameEvent, LiveTable } from "./table.svelte";

const PACE: Record<Speed, number> = { calm: 2000, normal: 1300, fast: 650, instant: 0 };

export class Ending {
  /** Null while loading. */
  record = $state.raw<GameRecord | null>(null);
  isFetching = $state(false);
  hasFailed = $state(false);
  /** The number of steps shown; null before the first and after the last. */
  private shownCount = $state<number | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `onStep` is called with each step. */
  constructor(
    private readonly table: LiveTable,
    private readonly onStep: (step: Step) => void = () => {},
  ) {}

  events: readonly GameEvent[] = $derived.by(() => this.record?.events ?? this.table.events);
  sheet: Sheet | null = $derived.by(() => {
    const end = this.events.findLast((event) => event.type === "end");
    const view = this.table.view;
    return view && sheetOf(view, end?.winners ?? [], this.record?.result ?? null);
  });
  steps: readonly Step[] = $derived.by(() => (this.sheet ? stepsOf(this.sheet, this.events) : []));

  /** Marks the end as shown, so that a reload skips the animation. */
  private get key(): string {
    return `told.${this.table.id}`;
  }

  get isPlaying(): boolean {
    return this.shownCount !== null;
  }

  get stepsShown(): number {
    return this.shownCount ?? this.steps.length;
  }

  get now(): Step | null {
    return this.shownCount === null ? null : (this.steps[this.shownCount - 1] ?? null);
  }

  /** Fetches the record and plays the end, unless it was played before or motion is reduced. */
  async begin(): Promise<void> {
    await this.fetch();
    if (settings.speed === "instant" || isMarked(this.key)) this.finish();
    else this.play();
  }

  async fetch(): Promise<void> {
    this.isFetching = true;
    this.hasFailed = false;
    try {
      this.record = await recordOf(this.table.id, this.table.invite);
    } catch {
      this.hasFailed = true;
    }
    this.isFetching = false;
  }

  play(): void {
    clearTimeout(this.timer);
    this.shownCount = 0;
    this.goOn();
  }

  finish(): void {
    clearTimeout(this.timer);
    this.shownCount = null;
    mark(this.key);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private goOn(): void {
    this.shownCount = (this.shownCount ?? 0) + 1;
    if (this.shownCount >= this.steps.length) {
      this.finish();
      return;
    }
    if (this.now) this.onStep(this.now);
    this.timer = setTimeout(() => this.goOn(), PACE[settings.speed]);
  }
}
