/** "What if?": a variation from a moment of a replay. The server plays the other seats; own moves can be undone. */
import type { Company } from "../../state/shown";
import { request } from "../../wire/rest";
import type { LinePlayed, LineSoFar, WireAction } from "../../wire/types";
import { type Frame, movesIn, RecordedTable } from "../film/recordedTable.svelte";
import type { Source } from "../replay/replays";

/** The start of a variation and the seat that decides next. */
export interface Fork {
  /** The last move before it. */
  move: number;
  round: number;
  actor: number;
}

export interface Choice {
  seat: number;
  level: string;
  isNew: boolean;
}

/** The state of a variation after one decision. */
interface Step {
  line: LinePlayed["line"];
  frames: readonly Frame[];
  result: LinePlayed["result"];
}

const LARGEST_SEED = 2 ** 53;

/** The fork before the decision that an event reports, or before the next decision; null when the game is over. */
export function forkAt(frames: readonly Frame[], n: number): Fork | null {
  const index = frames.findIndex(({ events }) => events.some((event) => event.n === n));
  const frame = frames[index];
  if (!frame) return null;
  const before = frames[index - 1];
  // The first event of a move holds the seat and the decision.
  const opening = movesIn([frame])[0]?.[0];
  if (before && before.move < frame.move && opening?.n === n && "seat" in opening)
    return { move: frame.move - 1, round: before.view.round, actor: opening.seat };
  const last = frames.findLast(({ move }) => move === frame.move);
  if (last?.view.actor == null) return null;
  return { move: frame.move, round: last.view.round, actor: last.view.actor };
}

export class Variation {
  /** Whether a request is pending. */
  isBusy = $state(false);
  isNew = $state(false);
  readonly table: RecordedTable;
  private past = $state.raw<readonly Step[]>([]);

  private constructor(
    private readonly source: Source,
    readonly fork: Fork,
    readonly choice: Choice,
    company: Company,
    private seed: number,
    first: LinePlayed,
  ) {
    this.isNew = choice.isNew;
    const step = stepAfter(null, first);
    this.past = [step];
    this.table = new RecordedTable(company, step.frames);
    this.table.show(this.table.last);
    this.table.answer = (actions) => this.act(actions);
  }

  static async begin(source: Source, fork: Fork, choice: Choice, company: Company): Promise<Variation> {
    const seed = newSeed();
    const first = await playOn(source, question(fork, choice, seed));
    return new Variation(source, fork, choice, company, seed, first);
  }

  get result(): LinePlayed["result"] {
    return this.past.at(-1)?.result ?? null;
  }

  get canUndo(): boolean {
    return this.past.length > 1 && !this.isBusy;
  }

  /** Makes a move; the server plays the other seats. Throws a Refusal. */
  async act(actions: WireAction[]): Promise<void> {
    const now = this.past.at(-1);
    if (!now || this.isBusy) return;
    const more = { line: now.line, actions, since: this.table.last + 1 };
    const step = stepAfter(now, await this.fetchLine(more));
    this.past = [...this.past, step];
    this.table.frames = step.frames;
    this.table.play(this.table.last);
  }

  /** Returns to the decision before. */
  undo(): void {
    if (this.canUndo) this.goBack(this.past.slice(0, -1));
  }

  /** Returns to the start of the variation. */
  startOver(): void {
    if (this.canUndo) this.goBack(this.past.slice(0, 1));
  }

  /** Restarts the variation with other cards and dice. */
  async redraw(): Promise<void> {
    if (this.isBusy) return;
    const [isNew, seed] = [this.isNew, this.seed];
    this.isNew = true;
    this.seed = newSeed();
    try {
      this.goBack([stepAfter(null, await this.fetchLine({}))]);
    } catch (error) {
      [this.isNew, this.seed] = [isNew, seed];
      throw error;
    }
  }

  close(): void {
    this.table.close();
  }

  private goBack(past: readonly Step[]): void {
    this.past = past;
    this.table.frames = past.at(-1)?.frames ?? [];
    this.table.show(this.table.last);
  }

  private async fetchLine(more: Partial<LineSoFar>): Promise<LinePlayed> {
    this.isBusy = true;
    try {
      const choice = { ...this.choice, isNew: this.isNew };
      return await playOn(this.source, { ...question(this.fork, choice, this.seed), ...more });
    } finally {
      this.isBusy = false;
    }
  }
}

function newSeed(): number {
  return Math.floor(Math.random() * LARGEST_SEED);
}

function question({ move }: Fork, { seat, level, isNew }: Choice, seed: number): LineSoFar {
  return { move, seat, level, seed, chance: isNew ? "new" : "same" };
}

function playOn(source: Source, body: LineSoFar): Promise<LinePlayed> {
  if (source.kind === "table")
    return request<LinePlayed>("POST", `/tables/${source.table}/line`, body, source.invite);
  return request<LinePlayed>("POST", "/line", { ...body, record: source.record });
}

/** The explorer's pending decision is in the last view. A step without events replaces the one before. */
function stepAfter(before: Step | null, { line, frames, view, result }: LinePlayed): Step {
  const all = [...(before?.frames ?? []), ...frames];
  const last = all.at(-1);
  if (last) all[all.length - 1] = { ...last, view };
  return { line, frames: all, result };
}
