/** The results of an analysis by moment of the replay. */
import type { GameEvent } from "../../state/table.svelte";
import type { GameAnalysis, JudgedDecision, JudgedMoment } from "../../wire/types";
import { movesIn, type Frame } from "../film/recordedTable.svelte";

export type Grade = JudgedDecision["grade"];

/** A decision and the event that reports it. */
export interface Judged {
  decision: JudgedDecision;
  n: number;
  /** Whether the decision has no event of its own (a declined offer); then it belongs to the event before. */
  isSilent: boolean;
}

/** Grades at which the navigation stops. */
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

  /** Expected result by seat: the chance to win, or coins in solo games. */
  valuesAt(index: number): readonly number[] {
    const moment = this.moments[index];
    return (this.isAlone ? moment?.scores : moment?.wins) ?? [];
  }

  /** The number of the event that completes a moment. */
  endAt(index: number): number {
    return this.ends[index] ?? 0;
  }

  /** The last moment completed at an event, so that nothing later is revealed. */
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

  /** For a move without events, the end of the move before. */
  private endOf(move: number): number {
    for (let one = move; one >= 0; one -= 1) {
      const last = this.moves.get(one)?.at(-1);
      if (last) return last.n;
    }
    return 0;
  }

  /** A move can be several actions, each with its own event. */
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
