/** Tables that are not watched but listed: those of the lobby, and one's own. */
import { ask, Refusal } from "../wire/rest";
import { LineLost } from "../wire/socket";
import type { AnyMessage, GameLine, TableInfo } from "../wire/types";
import { router } from "./router.svelte";
import { session } from "./session.svelte";

const STRANGERS_PAUSE = 5000;

class Listings {
  /** All listed tables that are open or running; `null` until they are known. */
  tables = $state.raw<TableInfo[] | null>(null);
  /** One's own open and running games, those where somebody waits for one first; `null` until they are known. */
  games = $state.raw<GameLine[] | null>(null);
  /** Called when it becomes one's turn somewhere. */
  onTurn: (game: GameLine) => void = () => {};
  /** Called when it is no longer. */
  onTurnOver: (game: GameLine) => void = () => {};

  private wantsLobby = false;

  constructor() {
    session.listen((message) => this.hear(message));
  }

  /** Says what one wants to be told; again whenever the line was lost. */
  async follow(): Promise<void> {
    try {
      await session.send({ type: "follow", games: true, lobby: this.wantsLobby });
    } catch (error) {
      if (!(error instanceof LineLost || error instanceof Refusal)) throw error;
    }
  }

  /** Keeps the lobby up to date from now on; gives what ends it. Whoever has no name yet looks now and then. */
  enterLobby(): () => void {
    this.wantsLobby = true;
    void this.follow();
    void this.look();
    const timer = setInterval(() => void this.look(), STRANGERS_PAUSE);
    return () => {
      clearInterval(timer);
      this.wantsLobby = false;
      this.tables = null;
      void this.follow();
    };
  }

  /** Games in which other people wait for one, the most urgent first; but for one that is on the screen. */
  waiting(exceptFor: string | null = null): GameLine[] {
    return (this.games ?? []).filter((game) => isAwaited(game) && game.info.table !== exceptFor);
  }

  /** Goes to the first of them; whether there was one. */
  goToNext(exceptFor: string): boolean {
    const next = this.waiting(exceptFor)[0];
    if (next) router.go({ screen: "table", table: next.info.table, invite: null });
    return next !== undefined;
  }

  /** Who signs out leaves nothing behind. */
  forget(): void {
    this.games = null;
  }

  private async look(): Promise<void> {
    if (session.me || !session.isReady) return;
    try {
      this.tables = await ask<TableInfo[]>("GET", "/tables");
    } catch {
      this.tables ??= [];
    }
  }

  private hear(message: AnyMessage): void {
    if (message.type === "lobby") {
      const kept = message.is_change ? (this.tables ?? []) : [];
      const isStale = (info: TableInfo): boolean =>
        (message.gone ?? []).includes(info.table) || message.tables.some(({ table }) => table === info.table);
      this.tables = [...kept.filter((info) => !isStale(info)), ...message.tables].sort(byAge);
    } else if (message.type === "games") {
      const before = this.games ?? [];
      const kept = message.is_change
        ? before.filter((game) => !message.games.some(({ info }) => info.table === game.info.table))
        : [];
      this.games = [...kept, ...message.games.filter(isInPlay)].sort(byNeed);
      if (message.is_change) for (const game of message.games) this.noticeTurn(game, before);
    }
  }

  private noticeTurn(game: GameLine, before: GameLine[]): void {
    const old = before.find(({ info }) => info.table === game.info.table);
    if (game.is_your_turn && !old?.is_your_turn) this.onTurn(game);
    else if (!game.is_your_turn && old?.is_your_turn) this.onTurnOver(game);
  }
}

/** Tables that one only set up for others are on the page of their duplicate. */
function isInPlay({ info, seats }: GameLine): boolean {
  const isForOthers = info.seal != null && seats.length === 0;
  return !isForOthers && (info.status === "open" || info.status === "running");
}

function byAge(one: TableInfo, other: TableInfo): number {
  return other.opened - one.opened;
}

/** Whether another person plays: bots, the Ghost and those at this device wait for nobody. */
export function hasCompany({ info, seats }: GameLine): boolean {
  return info.seats.some(({ kind }, seat) => kind === "person" && !seats.includes(seat));
}

function isAwaited(game: GameLine): boolean {
  return game.is_your_turn && hasCompany(game);
}

/** First those that others wait for: whose time is over soonest, then who waits longest. */
function byNeed(one: GameLine, other: GameLine): number {
  const first = Number(isAwaited(other)) - Number(isAwaited(one));
  if (first !== 0) return first;
  if (isAwaited(one)) return deadlineOf(one) - deadlineOf(other) || one.updated - other.updated;
  return Number(other.is_your_turn) - Number(one.is_your_turn) || other.updated - one.updated;
}

/** Without a clock, later than any: a number, so that two of them can be compared. */
function deadlineOf({ info }: GameLine): number {
  return info.deadline ?? Number.MAX_SAFE_INTEGER;
}

export const listings = new Listings();
