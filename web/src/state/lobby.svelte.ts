/** Lists of tables: the lobby's and the user's own. */
import { request, Refusal } from "../wire/rest";
import { ConnectionLost } from "../wire/socket";
import type { AnyMessage, GameLine, TableInfo } from "../wire/types";
import { router } from "./router.svelte";
import { session } from "./session.svelte";

const POLL_INTERVAL = 5000;

class Listings {
  /** All listed tables that are open or running; null until loaded. */
  tables = $state.raw<TableInfo[] | null>(null);
  /** The user's open and running games, those on turn first; null until loaded. */
  games = $state.raw<GameLine[] | null>(null);
  /** Called when the user's turn begins in a game. */
  onTurn: (game: GameLine) => void = () => {};
  /** Called when it ends. */
  onTurnOver: (game: GameLine) => void = () => {};

  private isInLobby = false;

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
      this.tables = null;
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

  private async look(): Promise<void> {
    if (session.me || !session.isReady) return;
    try {
      this.tables = await request<TableInfo[]>("GET", "/tables");
    } catch {
      this.tables ??= [];
    }
  }

  private receive(message: AnyMessage): void {
    if (message.type === "lobby") {
      const remaining = message.is_change ? (this.tables ?? []) : [];
      const isStale = (info: TableInfo): boolean =>
        (message.gone ?? []).includes(info.table) || message.tables.some(({ table }) => table === info.table);
      this.tables = [...remaining.filter((info) => !isStale(info)), ...message.tables].sort(byAge);
    } else if (message.type === "games") {
      const before = this.games ?? [];
      const remaining = message.is_change
        ? before.filter((game) => !message.games.some(({ info }) => info.table === game.info.table))
        : [];
      this.games = [...remaining, ...message.games.filter(isInPlay)].sort(byNeed);
      if (message.is_change) for (const game of message.games) this.updateTurn(game, before);
    }
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

function byAge(one: TableInfo, other: TableInfo): number {
  return other.opened - one.opened;
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
