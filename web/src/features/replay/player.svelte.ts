/** Playback of a recorded game by event, move or round, or automatically. */
import { settings, type Speed } from "../../state/settings.svelte";
import type { RecordedTable } from "../film/recordedTable.svelte";

export type Unit = "event" | "move" | "round";

/** Milliseconds between two moves of automatic playback; without motion, between two events. */
const PAUSES: Record<Speed, number> = { calm: 1600, normal: 900, fast: 350, instant: 1200 };

export class Player {
  isPlaying = $state(false);
  private chosen = $state<Speed>(settings.speed);

  constructor(readonly table: RecordedTable) {}

  /** The event numbers at which each unit stops: every event, the last of each move, each Reveal. */
  private readonly stops: Record<Unit, number[]> = $derived.by(() => ({
    event: this.table.all.map(({ n }) => n),
    move: this.table.moves.map((events) => events.at(-1)?.n ?? 0),
    round: this.table.all.filter(({ type }) => type === "reveal").map(({ n }) => n),
  }));

  /** Instant if the user prefers reduced motion. */
  get speed(): Speed {
    return settings.prefersStillness ? "instant" : this.chosen;
  }
  set speed(speed: Speed) {
    this.chosen = speed;
  }

  get pause(): number {
    return PAUSES[this.speed];
  }

  get isAtStart(): boolean {
    return this.table.now <= this.table.first;
  }

  get isAtEnd(): boolean {
    return this.table.now >= this.table.last;
  }

  /** The number of the Reveal of each round. */
  get rounds(): readonly number[] {
    return this.stops.round;
  }

  /** The current round, from 1. */
  get round(): number {
    return Math.max(1, this.rounds.filter((n) => n <= this.table.now).length);
  }

  /** Plays forward after finishing the current animation. */
  next(unit: Unit): void {
    this.isPlaying = false;
    this.forward(unit);
  }

  previous(unit: Unit): void {
    const before = this.stops[unit].findLast((n) => n < this.table.now);
    this.goTo(before ?? this.table.first);
  }

  goTo(n: number): void {
    this.isPlaying = false;
    this.table.show(n);
  }

  /** Starts again from the beginning at the end. */
  toggle(): void {
    if (!this.isPlaying && this.isAtEnd) this.table.show(this.table.first);
    this.isPlaying = !this.isPlaying;
  }

  /** Advances automatic playback. */
  playOn(): void {
    this.forward(this.speed === "instant" ? "event" : "move");
    if (this.table.isAtEnd) this.isPlaying = false;
  }

  private forward(unit: Unit): void {
    const { table } = this;
    table.stage.skip();
    const after = this.stops[unit].find((n) => n > table.at) ?? table.last;
    // A whole round is too long to animate.
    if (unit === "round") table.show(after);
    else table.play(after);
  }
}
