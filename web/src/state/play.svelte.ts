/** The ways into a game: each makes somebody known who is not yet, and never asks for a name first. */
import { because, t } from "../i18n/index.svelte";
import { toast } from "../kit/toast.svelte";
import { ask, entropy, Refusal, Unreachable } from "../wire/rest";
import { LineLost } from "../wire/socket";
import type { Me, TableAnswer, TableSettings } from "../wire/types";
import { read, router, type Route } from "./router.svelte";
import { session } from "./session.svelte";
import { readText, writeText } from "./storage";

const INVITATION = "invitation";
const HOSTS_LINK = /#join=([\w-]+)/;

class Play {
  /** Whether something is on its way, so that nobody asks twice. */
  isBusy = $state(false);
  /** Whether the server lets in invited people only, and this is none yet. */
  needsInvitation = $state(false);
  private invitation: string | null = readText(INVITATION);
  private offered: string | null = null;

  /** A name that fits the family; the same until it is taken. */
  suggestedName(): string {
    const names = t("page.name.heirs").split(", ");
    this.offered ??= names[Math.floor(Math.random() * names.length)] ?? "";
    return this.offered;
  }

  /** Another one, for whom the first does not please. */
  anotherName(): string {
    const before = this.suggestedName();
    const names = t("page.name.heirs")
      .split(", ")
      .filter((name) => name !== before);
    this.offered = names[Math.floor(Math.random() * names.length)] ?? before;
    return this.offered;
  }

  async known(name: string = this.suggestedName()): Promise<Me> {
    return session.me ?? (await session.join(name, this.invitation));
  }

  /** Remembers the invitation in the host's link, if that is what it is. */
  accept(text: string): boolean {
    const found = HOSTS_LINK.exec(text)?.[1] ?? (/^[0-9a-f]{32}$/.test(text.trim()) ? text.trim() : null);
    if (!found) return false;
    this.invitation = found;
    this.needsInvitation = false;
    writeText(INVITATION, found);
    return true;
  }

  solo(): Promise<boolean> {
    return this.open({ players: 1 }, true);
  }

  withBots(count: number, level: string): Promise<boolean> {
    const bots = Array.from({ length: count }, (_, index) => ({ seat: index + 1, level }));
    return this.open({ players: count + 1, bots }, true);
  }

  /** Opens a table, sits down at its first seat and goes there; with others at this device, at theirs, too. */
  open(
    settings: TableSettings,
    start: boolean,
    here: { seat: number; name: string | null }[] = [{ seat: 0, name: null }],
  ): Promise<boolean> {
    return this.attempt(async () => {
      await this.known();
      const answer = await ask<TableAnswer>("POST", "/tables", {
        settings,
        sit: here.map(({ seat }) => seat),
        names: here.map(({ name }) => name),
        entropy: entropy(),
        start,
      });
      router.go({ screen: "table", table: answer.info.table, invite: start ? null : answer.you.invite });
    });
  }

  /** Does something that the server may refuse; says so if it does, or hands the words to `refused`. */
  async attempt(what: () => Promise<void>, refused?: (text: string) => void): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      await what();
      return true;
    } catch (error) {
      if (refused && error instanceof Refusal) refused(because(error.reason));
      else this.explain(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  private explain(error: unknown): void {
    if (error instanceof Refusal) {
      if (error.reason.code === "invite_only") this.needsInvitation = true;
      else toast(() => because(error.reason), { isBad: true });
    } else if (error instanceof Unreachable || error instanceof LineLost) {
      toast(() => t("page.failed.unreachable"), { isBad: true });
    } else throw error;
  }
}

/** The table that a link or the last part of one leads to. */
export function tableIn(text: string): Route | null {
  const cut = text.trim();
  const hash = cut.includes("#")
    ? cut.slice(cut.indexOf("#"))
    : `#/table/${cut.replace(/^\/*(table\/)?/, "")}`;
  if (!/^#\/table\/[\w-]+(\/[\w-]+)?\/?$/.test(hash)) return null;
  return read(hash);
}

export const play = new Play();
