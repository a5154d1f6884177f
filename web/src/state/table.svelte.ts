/** A live table: the server's newest state and the stage that shows it. */
import { shown } from "../kit/paint.svelte";
import { request, Refusal } from "../wire/rest";
import { ConnectionLost, type Command } from "../wire/socket";
import type {
  AnyMessage,
  ChatLine,
  React,
  Reacted,
  Reason,
  Recap,
  Shown,
  TableAnswer,
  TableInfo,
  Tick,
  Update,
  View,
  WireAction,
  You,
} from "../wire/types";
import { applyChanges } from "../wire/viewChanges";
import { saveCommitment } from "./commitments";
import { recent } from "./recent.svelte";
import { session } from "./session.svelte";
import type { ShownTable } from "./shown";
import { Stage } from "./stage.svelte";

export type GameEvent = Shown["events"][number];

/** Milliseconds until a move is sent again that may not have been stored, and for how long that is tried. */
const RESEND_PAUSE = 1000;
const RESEND_FOR = 60_000;

export class LiveTable implements ShownTable {
  info = $state.raw<TableInfo | null>(null);
  you = $state.raw<You | null>(null);
  ply = $state(0);
  /** The server's newest view. */
  received = $state.raw<View | null>(null);
  /** The same without a decision while a bot plays for the viewer; `stage.view` is the one on screen. */
  readonly view = $derived(
    this.received && this.isPlayedByBot ? { ...this.received, actions: [], form: null } : this.received,
  );
  /** All events received, in order. */
  events = $state.raw<GameEvent[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  reactions = $state.raw<Reacted[]>([]);
  present = $state.raw<boolean[]>([]);
  spectators = $state(0);
  clock = $state.raw<Tick | null>(null);
  /** Why the table cannot be shown. */
  failure = $state.raw<Reason | null>(null);
  /** Whether a move is pending. */
  isSending = $state(false);
  readonly stage = new Stage();

  private readonly leave: () => void;
  private isClosed = false;

  constructor(
    readonly id: string,
    readonly invite: string | null,
  ) {
    session.preferTable(id);
    this.leave = session.listen((message) => this.receive(message));
  }

  get isLoaded(): boolean {
    return this.info !== null;
  }

  get seat(): number | null {
    return this.you?.seat ?? null;
  }

  /** Whether several people play at this device: it shows the public view until one of them takes over. */
  get isShared(): boolean {
    return (this.you?.seats.length ?? 0) > 1;
  }

  /** Whether a bot plays for the viewer. */
  get isPlayedByBot(): boolean {
    return this.seat !== null && Boolean(this.info?.seats[this.seat]?.taken_over);
  }

  /** Subscribes to the table; called again after each reconnection. */
  async watch(seat: number | null = null): Promise<void> {
    try {
      await session.send({
        type: "watch",
        table: this.id,
        since: seat === this.seat ? this.eventCount : 0,
        ...(this.invite ? { invite: this.invite } : {}),
        ...(seat === null ? {} : { seat }),
      });
      this.failure = null;
    } catch (error) {
      if (error instanceof Refusal) this.failure = error.reason;
      else if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  /** Switches the viewer at this device and removes the former viewer's private data. */
  async switchViewer(seat: number | null): Promise<void> {
    if (seat !== this.seat) await this.watch(seat);
  }

  close(): void {
    this.isClosed = true;
    this.leave();
    this.stage.close();
    if (!this.isSending) this.unwatch();
  }

  private unwatch(): void {
    session.send({ type: "unwatch", table: this.id }).catch(() => undefined);
  }

  /** Makes a move on the last received view. Throws a Refusal, after showing its fresh view. */
  async act(actions: WireAction[]): Promise<void> {
    const { ply, seat } = this;
    this.isSending = true;
    try {
      if (this.stage.isBusy) await this.endScene();
      if (this.isShared && seat !== null) await this.actPublicly(actions, ply, seat);
      else await this.sendMove({ type: "act", table: this.id, ply, actions });
    } finally {
      this.isSending = false;
      if (this.isClosed) this.unwatch();
    }
  }

  /** Shared devices show the public view during a move; the mover sees it again if the turn continues. */
  private async actPublicly(actions: WireAction[], ply: number, seat: number): Promise<void> {
    const actor = this.received?.actor;
    await this.switchViewer(null);
    try {
      await this.sendMove({ type: "act", table: this.id, ply, seat, actions });
    } finally {
      if (this.received?.actor === actor && !this.isClosed) await this.switchViewer(seat);
    }
  }

  /** Sends a move, and the same one again while the server does not know whether it is stored. */
  private async sendMove(move: Command): Promise<void> {
    const end = Date.now() + RESEND_FOR;
    for (;;) {
      try {
        await session.send(move);
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.reason.code === "already_done") return;
        if (error.reason.code !== "storage_silent" || Date.now() >= end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RESEND_PAUSE));
    }
  }

  /** Skips the scenes before the move, after showing that it is pending. */
  private async endScene(): Promise<void> {
    await shown();
    this.stage.skip();
    await shown();
  }

  async sendChat(text: string): Promise<void> {
    await session.send({ type: "say", table: this.id, text });
  }

  async react(reaction: React["reaction"]): Promise<void> {
    await session.send({ type: "react", table: this.id, reaction });
  }

  /** Rare commands use REST; their effects arrive over the socket. */
  async order(
    path: string,
    body?: unknown,
    method: "POST" | "PUT" | "DELETE" = "POST",
  ): Promise<TableAnswer> {
    const answer = await request<TableAnswer>(method, `/tables/${this.id}${path}`, body, this.invite);
    this.info = answer.info;
    this.you = this.view ? { ...answer.you, seat: this.seat } : answer.you;
    return answer;
  }

  comeBack(): Promise<Recap> {
    return request<Recap>("POST", `/tables/${this.id}/return`);
  }

  /** The number of all events so far, including those not sent at tables without a public log. */
  private get eventCount(): number {
    return (this.events.at(-1)?.n ?? -1) + 1;
  }

  private receive(message: AnyMessage): void {
    if (!("table" in message) || message.table !== this.id) return;
    switch (message.type) {
      case "shown":
        this.show(message);
        break;
      case "update":
        this.update(message);
        break;
      case "refused":
        if (message.view) this.received = message.view;
        if (message.ply != null) this.takePly(message.ply);
        break;
      case "said":
        if (!this.chat.some((line) => line.id === message.line.id)) this.chat = [...this.chat, message.line];
        break;
      case "reacted":
        this.reactions = [...this.reactions.slice(-20), message];
        break;
      case "presence":
        this.present = message.present;
        this.spectators = message.spectators;
        break;
      case "gone":
        this.failure = message.reason;
        break;
    }
  }

  private show(shown: Shown): void {
    const isFirst = !this.isLoaded || shown.you.seat !== this.seat;
    this.takePly(shown.ply);
    const missed = shown.events.filter((event) => event.n >= this.eventCount);
    this.info = shown.info;
    this.you = shown.you;
    this.received = shown.view;
    this.chat = shown.chat;
    this.present = shown.present ?? [];
    this.spectators = shown.spectators ?? 0;
    this.clock = clockIn(shown.info);
    this.note(shown.info);
    this.events = isFirst ? shown.events : [...this.events, ...missed];
    this.stage.show(shown.view);
  }

  /** A lower ply means that the server has lost entries, and events with them: all are asked for. */
  private takePly(ply: number): void {
    const isLower = ply < this.ply;
    this.ply = ply;
    if (!isLower) return;
    this.events = [];
    void this.watch(this.seat);
  }

  /** Whether the turn passes to another person at this device. */
  private isOtherLocalSeat(actor: number | null): boolean {
    const isOnScreen = this.seat !== null && actor !== this.seat;
    return this.isShared && isOnScreen && actor !== null && Boolean(this.you?.seats.includes(actor));
  }

  /** Stores what other screens and the fairness check use later. */
  private note(info: TableInfo): void {
    saveCommitment(this.id, info.commitment);
    const route = { screen: "table", table: this.id, invite: this.invite } as const;
    recent.table = { route, collectors: info.collectors ?? null };
  }

  private update(update: Update): void {
    if (update.ply <= this.ply) return;
    if (update.ply > this.ply + 1 || (update.changes && !this.received)) {
      void this.watch(this.seat);
      return;
    }
    const view = viewAfter(this.received, update);
    this.ply = update.ply;
    const events = update.events ?? [];
    this.events = [...this.events, ...events];
    if (update.info) {
      this.info = update.info;
      this.note(update.info);
    }
    if (update.you) this.you = update.you;
    if (update.clock !== undefined) this.clock = update.clock ?? null;
    if (view) {
      this.received = view;
      this.info = this.info && { ...this.info, actor: view.actor, round: view.round };
      this.stage.play(events, view, this.you?.away_since == null);
      if (this.isOtherLocalSeat(view.actor)) void this.switchViewer(null);
    }
  }
}

/** An update has the complete view, its changes, or neither if the view has not changed. */
function viewAfter(before: View | null, { view, changes }: Update): View | null {
  return view ?? (before && changes ? applyChanges(before, changes) : before);
}

function clockIn(info: TableInfo): Tick | null {
  if (info.deadline == null) return null;
  return { deadline: info.deadline, banks: info.seats.map((seat) => seat.bank ?? 0) };
}
