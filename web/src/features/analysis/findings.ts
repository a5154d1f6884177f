/** What an analysis says of each moment of a replay. */
import type { GameEvent } from "../../state/table.svelte";
import type { GameAnalysis, JudgedDecision, JudgedMoment } from "../../wire/types";
import { movesIn, type Frame } from "../film/recordedTable.svelte";

export type Grade = JudgedDecision["grade"];

/** A decision, and the event by which it is told. */
export interface Judged {
  decision: JudgedDecision;
  n: number;
  /** Whether nothing was told: an offer was declined. It is found at what was told before. */
  isSilent: boolean;
}

/** What is worth stopping at. */
const MISTAKES: readonly Grade[] = ["mistake", "blunder"];
const DECIDED: readonly GameEvent["type"][] = ["claim", "recover", "take", "peek", "mend", "reroll"];

export function isMistake({ decision }: Judged): boolean {
  return MISTAKES.includes(decision.grade);
}

export class Findings {
  readonly judged: readonly Judged[];
  readonly mistakes: readonly Judged[];
  readonly isAlone: boolean;
  private readonly moves: ReadonlyMap<number, readonly GameEvent[]>;
  /** The number of the last event of each moment. */
  private readonly ends: readonly number[];

  constructor(
    readonly analysis: GameAnalysis,
    frames: readonly Frame[],
  ) {
    this.isAlone = analysis.wins.length === 1;
    const numbers = [...new Set(frames.map(({ move }) => move))];
    this.moves = new Map(movesIn(frames).map((events, index) => [numbers[index] ?? 0, events]));
    this.ends = analysis.moments.map(({ move }) => this.endOf(move));
    this.judged = analysis.decisions.map((decision, index) => this.found(decision, index));
    this.mistakes = this.judged.filter(isMistake);
  }

  get moments(): readonly JudgedMoment[] {
    return this.analysis.moments;
  }

  /** By seat, what it could expect: of the win, or alone coins. */
  valuesAt(index: number): readonly number[] {
    const moment = this.moments[index];
    return (this.isAlone ? moment?.scores : moment?.wins) ?? [];
  }

  /** The event with which a moment is reached. */
  endAt(index: number): number {
    return this.ends[index] ?? 0;
  }

  /** The last moment that is over at an event: nobody is told more than has happened. */
  momentAt(n: number): number {
    return Math.max(
      0,
      this.ends.findLastIndex((end) => end <= n),
    );
  }

  decisionsAt(n: number): Judged[] {
    return this.judged.filter((one) => one.n === n);
  }

  nextMistake(n: number): Judged | null {
    return this.mistakes.find((one) => one.n > n) ?? null;
  }

  previousMistake(n: number): Judged | null {
    return this.mistakes.findLast((one) => one.n < n) ?? null;
  }

  /** Of a move that nothing was told of, that of the one before. */
  private endOf(move: number): number {
    for (let one = move; one >= 0; one -= 1) {
      const last = this.moves.get(one)?.at(-1);
      if (last) return last.n;
    }
    return 0;
  }

  /** A move may be several actions: each has its own event. */
  private found(decision: JudgedDecision, index: number): Judged {
    const { move, seat } = decision;
    const before = this.analysis.decisions.slice(0, index);
    const nth = before.filter((other) => other.move === move && other.seat === seat).length;
    const events = this.moves.get(move) ?? [];
    const own = events.filter(
      (event) => DECIDED.includes(event.type) && "seat" in event && event.seat === seat,
    );
    const event = own[nth] ?? own[0];
    if (event) return { decision, n: event.n, isSilent: false };
    return { decision, n: this.endOf(move - 1), isSilent: true };
  }
}
