/** Tables that are not watched but listed: those of the lobby, and one's own. */
import { ask, Refusal } from "../wire/rest";
import { LineLost } from "../wire/socket";
import type { AnyMessage, GameLine, TableInfo } from "../wire/types";
import { session } from "./session.svelte";

const STRANGERS_PAUSE = 5000;

class Listings {
  /** All listed tables that are open or running; `null` until they are known. */
  tables = $state.raw<TableInfo[] | null>(null);
  /** One's own open and running games, those that wait for one first; `null` until they are known. */
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

function isInPlay({ info }: GameLine): boolean {
  return info.status === "open" || info.status === "running";
}

function byAge(one: TableInfo, other: TableInfo): number {
  return other.opened - one.opened;
}

function byNeed(one: GameLine, other: GameLine): number {
  return Number(other.is_your_turn) - Number(one.is_your_turn) || other.updated - one.updated;
}

export const listings = new Listings();
