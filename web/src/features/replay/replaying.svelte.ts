/** The game that is looked at: fetched once for each pair of eyes, and shown at one moment through all of them. */
import type { Result } from "../../state/record";
import { toast } from "../../kit/toast.svelte";
import { because, t } from "../../i18n/index.svelte";
import { Refusal, Unreachable } from "../../wire/rest";
import type { Reason, Replay } from "../../wire/types";
import { RecordedTable } from "../film/recordedTable.svelte";
import { Player } from "./player.svelte";
import { companyOf, fetchReplay, type Eyes, type Source } from "./replays";

export class Replaying {
  source = $state.raw<Source | null>(null);
  replay = $state.raw<Replay | null>(null);
  player = $state.raw<Player | null>(null);
  failure = $state.raw<Reason | null>(null);
  isLoading = $state(false);
  private known: Partial<Record<Eyes, Replay>> = {};
  private wanted: { eyes: Eyes | null; moment: number | null } = { eyes: null, moment: null };

  /** How the game ended, counted by the server. */
  get result(): Result | null {
    return (this.replay?.result ?? null) as Result | null;
  }

  async open(source: Source, eyes: Eyes | null, moment: number | null): Promise<void> {
    if (!this.isAt(source)) this.close();
    this.source = source;
    this.wanted = { eyes, moment };
    this.failure = null;
    try {
      this.begin(await this.fetch(source, eyes), moment);
    } catch (error) {
      if (this.source === source) this.failure = reasonOf(error);
    }
  }

  /** Whether it worked; what is shown stays if not. */
  async lookThrough(eyes: Eyes): Promise<boolean> {
    const { source } = this;
    if (!source) return false;
    try {
      this.begin(await this.fetch(source, eyes), this.player?.table.at ?? null);
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      toast(() => because(reason), { isBad: true });
      return false;
    }
  }

  again(): void {
    if (this.source) void this.open(this.source, this.wanted.eyes, this.wanted.moment);
  }

  close(): void {
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
    this.isLoading = true;
    try {
      return await fetchReplay(source, eyes);
    } finally {
      this.isLoading = false;
    }
  }

  private begin(replay: Replay, moment: number | null): void {
    this.known[replay.viewer] = replay;
    this.replay = replay;
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

/** Why something was not answered; what is a mistake of ours is thrown on. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof Unreachable)
    return { code: "unreachable", details: {}, text: t("page.failed.unreachable") };
  throw error;
}
