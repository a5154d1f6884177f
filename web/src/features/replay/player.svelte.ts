/** Goes through a recorded game: by events, moves and rounds, or by itself at a chosen speed. */
import { settings, type Speed } from "../../state/settings.svelte";
import type { RecordedTable } from "../film/recordedTable.svelte";

export type Unit = "event" | "move" | "round";

/** Milliseconds between two moves that play by themselves; at once, between two events. */
const PAUSES: Record<Speed, number> = { calm: 1600, normal: 900, fast: 350, instant: 1200 };

export class Player {
  isPlaying = $state(false);
  private chosen = $state<Speed>(settings.speed);

  constructor(readonly table: RecordedTable) {}

  /** The events at which one can stop, by unit: every one, the last of each move, each Reveal. */
  private readonly stops: Record<Unit, number[]> = $derived.by(() => ({
    event: this.table.all.map(({ n }) => n),
    move: this.table.moves.map((events) => events.at(-1)?.n ?? 0),
    round: this.table.all.filter(({ type }) => type === "reveal").map(({ n }) => n),
  }));

  /** Whoever wants no motion sees everything at once. */
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

  /** By round, the number of its Reveal. */
  get rounds(): readonly number[] {
    return this.stops.round;
  }

  /** The round of the moment, from 1. */
  get round(): number {
    return Math.max(1, this.rounds.filter((n) => n <= this.table.now).length);
  }

  /** On as it happened: whatever still moves is done first. */
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

  /** From the end it begins again. */
  toggle(): void {
    if (!this.isPlaying && this.isAtEnd) this.table.show(this.table.first);
    this.isPlaying = !this.isPlaying;
  }

  /** What happens next while it plays by itself. */
  playOn(): void {
    this.forward(this.speed === "instant" ? "event" : "move");
    if (this.table.isAtEnd) this.isPlaying = false;
  }

  private forward(unit: Unit): void {
    const { table } = this;
    table.stage.skip();
    const after = this.stops[unit].find((n) => n > table.at) ?? table.last;
    // A round is too long to be watched in one go.
    if (unit === "round") table.show(after);
    else table.play(after);
  }
}
