/** The open replay: fetched once for each viewer and shown at one moment for all. */
import type { Result } from "../../state/record";
import { reasonOf, toastFailure } from "../../state/failure";
import type { Reason, Replay } from "../../wire/types";
import { RecordedTable } from "../film/recordedTable.svelte";
import { Player } from "./player.svelte";
import { companyOf, fetchReplay, type ReplayViewer, type Source } from "./replays";

export class ReplayState {
  source = $state.raw<Source | null>(null);
  replay = $state.raw<Replay | null>(null);
  player = $state.raw<Player | null>(null);
  failure = $state.raw<Reason | null>(null);
  private pendingReplays = $state(0);
  /** The last requested viewer; differs from the one on screen while the request is pending. */
  eyes = $state.raw<ReplayViewer | null>(null);
  private cache: Partial<Record<ReplayViewer, Replay>> = {};
  /** Responses may arrive out of order: only the last request counts. */
  private requestId = 0;
  private wanted: { eyes: ReplayViewer | null; moment: number | null } = { eyes: null, moment: null };

  get isLoading(): boolean {
    return this.pendingReplays > 0;
  }

  /** The server's final result. */
  get result(): Result | null {
    return (this.replay?.result ?? null) as Result | null;
  }

  async open(source: Source, eyes: ReplayViewer | null, moment: number | null): Promise<void> {
    if (!this.isAt(source)) this.close();
    this.source = source;
    this.wanted = { eyes, moment };
    this.failure = null;
    this.eyes = eyes;
    const turn = ++this.requestId;
    try {
      const replay = await this.fetch(source, eyes);
      if (turn === this.requestId) this.begin(replay, moment);
    } catch (error) {
      if (turn === this.requestId) this.failure = reasonOf(error);
    }
  }

  /** Switches the viewer; returns whether it worked. The current one stays on failure or after a newer request. */
  async setViewer(eyes: ReplayViewer): Promise<boolean> {
    const { source } = this;
    if (!source) return false;
    this.eyes = eyes;
    const turn = ++this.requestId;
    try {
      const replay = await this.fetch(source, eyes);
      if (turn !== this.requestId) return false;
      this.begin(replay, this.player?.table.at ?? null);
      return true;
    } catch (error) {
      if (turn !== this.requestId) return false;
      this.eyes = this.replay?.viewer ?? null;
      toastFailure(error);
      return false;
    }
  }

  retry(): void {
    if (this.source) void this.open(this.source, this.wanted.eyes, this.wanted.moment);
  }

  close(): void {
    this.requestId += 1;
    this.player?.table.close();
    this.player = null;
    this.replay = null;
    this.source = null;
    this.failure = null;
    this.cache = {};
  }

  private isAt(source: Source): boolean {
    return this.source?.kind === "table" && source.kind === "table" && this.source.table === source.table;
  }

  private async fetch(source: Source, eyes: ReplayViewer | null): Promise<Replay> {
    const before = eyes === null ? undefined : this.cache[eyes];
    if (before) return before;
    this.pendingReplays += 1;
    try {
      return await fetchReplay(source, eyes);
    } finally {
      this.pendingReplays -= 1;
    }
  }

  private begin(replay: Replay, moment: number | null): void {
    this.cache[replay.viewer] = replay;
    this.replay = replay;
    this.eyes = replay.viewer;
    if (this.player) {
      this.player.table.frames = replay.frames;
      this.player.goTo(moment ?? this.player.table.at);
      return;
    }
    const player: Player = new Player(
      new RecordedTable(companyOf(replay), replay.frames, { speed: () => player.speed, isReadOnly: true }),
    );
    if (moment !== null) player.goTo(moment);
    this.player = player;
  }
}
