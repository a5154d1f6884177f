/** The open replay: fetched once for each viewer and shown at one moment for all. */
import type { Result } from "../../state/record";
import { reasonOf, toastFailure } from "../../state/failure";
import type { Reason, Replay } from "../../wire/types";
import { RecordedTable } from "../film/recordedTable.svelte";
import { Player } from "./player.svelte";
import { companyOf, fetchReplay, type Eyes, type Source } from "./replays";

export class Replaying {
  source = $state.raw<Source | null>(null);
  replay = $state.raw<Replay | null>(null);
  player = $state.raw<Player | null>(null);
  failure = $state.raw<Reason | null>(null);
  private onTheirWay = $state(0);
  /** The last requested viewer; differs from the one on screen while the request is pending. */
  eyes = $state.raw<Eyes | null>(null);
  private known: Partial<Record<Eyes, Replay>> = {};
  /** Responses may arrive out of order: only the last request counts. */
  private asked = 0;
  private wanted: { eyes: Eyes | null; moment: number | null } = { eyes: null, moment: null };

  get isLoading(): boolean {
    return this.onTheirWay > 0;
  }

  /** The server's final result. */
  get result(): Result | null {
    return (this.replay?.result ?? null) as Result | null;
  }

  async open(source: Source, eyes: Eyes | null, moment: number | null): Promise<void> {
    if (!this.isAt(source)) this.close();
    this.source = source;
    this.wanted = { eyes, moment };
    this.failure = null;
    this.eyes = eyes;
    const turn = ++this.asked;
    try {
      const replay = await this.fetch(source, eyes);
      if (turn === this.asked) this.begin(replay, moment);
    } catch (error) {
      if (turn === this.asked) this.failure = reasonOf(error);
    }
  }

  /** Switches the viewer; returns whether it worked. The current one stays on failure or after a newer request. */
  async lookThrough(eyes: Eyes): Promise<boolean> {
    const { source } = this;
    if (!source) return false;
    this.eyes = eyes;
    const turn = ++this.asked;
    try {
      const replay = await this.fetch(source, eyes);
      if (turn !== this.asked) return false;
      this.begin(replay, this.player?.table.at ?? null);
      return true;
    } catch (error) {
      if (turn !== this.asked) return false;
      this.eyes = this.replay?.viewer ?? null;
      toastFailure(error);
      return false;
    }
  }

  again(): void {
    if (this.source) void this.open(this.source, this.wanted.eyes, this.wanted.moment);
  }

  close(): void {
    this.asked += 1;
    this.player?.table.close();
    this.player = null;
    this.replay = null;
    this.source = null;
    this.failure = null;
    this.known = {};
  }

  private isAt(source: Source): boolean {
    return this.source?.kind === "table" && source.kind === "table" && this.source.table === source.table;
  }

  private async fetch(source: Source, eyes: Eyes | null): Promise<Replay> {
    const before = eyes === null ? undefined : this.known[eyes];
    if (before) return before;
    this.onTheirWay += 1;
    try {
      return await fetchReplay(source, eyes);
    } finally {
      this.onTheirWay -= 1;
    }
  }

  private begin(replay: Replay, moment: number | null): void {
    this.known[replay.viewer] = replay;
    this.replay = replay;
    this.eyes = replay.viewer;
    if (this.player) {
      this.player.table.frames = replay.frames;
      this.player.goTo(moment ?? this.player.table.at);
      return;
    }
    const player: Player = new Player(
      new RecordedTable(companyOf(replay), replay.frames, { speed: () => player.speed, isOnlyShown: true }),
    );
    if (moment !== null) player.goTo(moment);
    this.player = player;
  }
}
