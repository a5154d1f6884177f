/** Lists of tables: the lobby's and the user's own. */
import { request, Refusal } from "../wire/rest";
import { ConnectionLost } from "../wire/socket";
import type { AnyMessage, GameLine, LobbyPage, TableInfo } from "../wire/types";
import { router } from "./router.svelte";
import { session } from "./session.svelte";

const POLL_INTERVAL = 5000;

class Listings {
  /** The loaded pages of the lobby, in its order; null until the first is loaded. */
  tables = $state.raw<TableInfo[] | null>(null);
  /** Where the next page begins; null if all tables are loaded. */
  next = $state.raw<string | null>(null);
  /** The user's open and running games, those on turn first; null until loaded. */
  games = $state.raw<GameLine[] | null>(null);
  /** Called when the user's turn begins in a game. */
  onTurn: (game: GameLine) => void = () => {};
  /** Called when it ends. */
  onTurnOver: (game: GameLine) => void = () => {};

  private isInLobby = false;
  /** Counts visits, so that answers of an earlier one are ignored. */
  private visit = 0;
  /** Changes that arrived while pages are read again; null otherwise. */
  private held: [TableInfo[], string[]][] | null = null;
  private loadedPages = 1;

  constructor() {
    session.listen((message) => this.receive(message));
  }

  /** Subscribes to the lists; called again after each reconnection. */
  async follow(): Promise<void> {
    try {
      await session.send({ type: "follow", games: true, lobby: this.isInLobby });
    } catch (error) {
      if (!(error instanceof ConnectionLost || error instanceof Refusal)) throw error;
    }
  }

  /** Subscribes to the lobby and returns the cancel function. Users without a name poll instead. */
  enterLobby(): () => void {
    this.isInLobby = true;
    void this.follow();
    void this.look();
    const timer = setInterval(() => void this.look(), POLL_INTERVAL);
    return () => {
      clearInterval(timer);
      this.isInLobby = false;
      this.visit += 1;
      this.tables = null;
      this.next = null;
      this.loadedPages = 1;
      void this.follow();
    };
  }

  /** Games on the user's turn with other people, most urgent first, without the one on screen. */
  waiting(exceptFor: string | null = null): GameLine[] {
    return (this.games ?? []).filter((game) => isAwaited(game) && game.info.table !== exceptFor);
  }

  /** Opens the most urgent game; returns whether there was one. */
  goToNext(exceptFor: string): boolean {
    const next = this.waiting(exceptFor)[0];
    if (next) router.go({ screen: "table", table: next.info.table, invite: null });
    return next !== undefined;
  }

  /** Clears everything on sign-out. */
  clear(): void {
    this.games = null;
  }

  /** Loads the next page; returns its first table, or null if there is none. */
  async loadMore(): Promise<string | null> {
    if (this.next === null) return null;
    const { visit } = this;
    const shown = new Set(this.tables?.map(({ table }) => table));
    const page = await request<LobbyPage>("GET", `/lobby?after=${this.next}`);
    if (visit !== this.visit) return null;
    this.loadedPages += 1;
    this.tables = merged(this.tables ?? [], page.tables);
    this.next = page.next;
    return this.tables.find(({ table }) => !shown.has(table))?.table ?? null;
  }

  private async look(): Promise<void> {
    if (session.me || !session.isReady) return;
    try {
      await this.reload();
    } catch {
      this.tables ??= [];
    }
  }

  /** Reads all loaded pages again. */
  private async reload(): Promise<void> {
    const { visit } = this;
    const held: [TableInfo[], string[]][] = [];
    this.held = held;
    try {
      let page = await request<LobbyPage>("GET", "/lobby");
      let found = page.tables;
      for (let loaded = 1; loaded < this.loadedPages && page.next !== null; loaded += 1) {
        page = await request<LobbyPage>("GET", `/lobby?after=${page.next}`);
        found = merged(found, page.tables);
      }
      if (visit !== this.visit) return;
      this.tables = found;
      this.next = page.next;
    } finally {
      if (this.held === held) this.held = null;
    }
    for (const [changed, gone] of held) this.applyChange(changed, gone);
  }

  private receive(message: AnyMessage): void {
    if (message.type === "lobby") {
      if (message.is_change) this.applyChange(message.tables, message.gone ?? []);
      else this.applyFirstPage(message.tables, message.next ?? null);
    } else if (message.type === "games") {
      const before = this.games ?? [];
      const remaining = message.is_change
        ? before.filter((game) => !message.games.some(({ info }) => info.table === game.info.table))
        : [];
      this.games = [...remaining, ...message.games.filter(isInPlay)].sort(byNeed);
      if (message.is_change) for (const game of message.games) this.updateTurn(game, before);
    }
  }

  /** Tables behind the loaded pages come with their page. */
  private applyChange(changed: TableInfo[], gone: string[]): void {
    this.held?.push([changed, gone]);
    const end = this.next;
    const remaining = (this.tables ?? []).filter(({ table }) => !gone.includes(table));
    const found = merged(remaining, changed);
    this.tables = end === null ? found : found.filter((info) => !isBehind(info, end));
  }

  /** After a reconnection, further pages stay until they are read again. */
  private applyFirstPage(tables: TableInfo[], next: string | null): void {
    if (this.loadedPages > 1 && next !== null) {
      const further = (this.tables ?? []).filter((info) => isBehind(info, next));
      this.tables = merged(further, tables);
      this.reload().catch(() => {
        // The next reconnection reads them.
      });
      return;
    }
    this.loadedPages = 1;
    this.tables = merged([], tables);
    this.next = next;
  }

  private updateTurn(game: GameLine, before: GameLine[]): void {
    const old = before.find(({ info }) => info.table === game.info.table);
    if (game.is_your_turn && !old?.is_your_turn) this.onTurn(game);
    else if (!game.is_your_turn && old?.is_your_turn) this.onTurnOver(game);
  }
}

/** Tables that the user only set up for others are listed on their duplicate's page. */
function isInPlay({ info, seats }: GameLine): boolean {
  const isForOthers = info.seal != null && seats.length === 0;
  return !isForOthers && (info.status === "open" || info.status === "running");
}

/** The tables with these newer versions of some of them, in the order of the lobby. */
function merged(tables: readonly TableInfo[], newer: readonly TableInfo[]): TableInfo[] {
  const ids = new Set(newer.map(({ table }) => table));
  return [...tables.filter(({ table }) => !ids.has(table)), ...newer].sort(byPlace);
}

/** As the server sorts: tables with a free seat, then full ones, then running games; each newest first. */
export function rankOf({ status, seats }: TableInfo): number {
  if (status !== "open") return 0;
  return seats.some(({ kind }) => kind === "free") ? 2 : 1;
}

function byPlace(one: TableInfo, other: TableInfo): number {
  return rankOf(other) - rankOf(one) || other.opened - one.opened || (other.table > one.table ? 1 : -1);
}

/** Whether a table comes after a page that ended at `next`: rank, time of opening and id of its last table. */
function isBehind(info: TableInfo, next: string): boolean {
  const [, rank, opened, table] = /^(\d+)-(\d+)-(.*)$/.exec(next) ?? [];
  const difference = rankOf(info) - Number(rank) || info.opened - Number(opened);
  return difference < 0 || (difference === 0 && info.table < (table ?? ""));
}

/** Whether another person plays at another device; bots and the Ghost do not wait. */
export function hasCompany({ info, seats }: GameLine): boolean {
  return info.seats.some(({ kind }, seat) => kind === "person" && !seats.includes(seat));
}

function isAwaited(game: GameLine): boolean {
  return game.is_your_turn && hasCompany(game);
}

/** Games on turn first: by deadline, then by waiting time. */
function byNeed(one: GameLine, other: GameLine): number {
  const first = Number(isAwaited(other)) - Number(isAwaited(one));
  if (first !== 0) return first;
  if (isAwaited(one)) return deadlineOf(one) - deadlineOf(other) || one.updated - other.updated;
  return Number(other.is_your_turn) - Number(one.is_your_turn) || other.updated - one.updated;
}

/** Later than any deadline if there is no clock; finite, so that two of them compare equal. */
function deadlineOf({ info }: GameLine): number {
  return info.deadline ?? Number.MAX_SAFE_INTEGER;
}

export const listings = new Listings();
