/** Starting or joining a game; signs new users in under a suggested name. */
import { because, t } from "../i18n/index.svelte";
import { toast } from "../kit/toast.svelte";
import { request, entropy, Refusal, Unreachable } from "../wire/rest";
import { ConnectionLost } from "../wire/socket";
import type { Me, TableAnswer, TableSettings } from "../wire/types";
import { read, router, type Route } from "./router.svelte";
import { session } from "./session.svelte";
import { readText, writeText } from "./storage";

const INVITATION = "invitation";
const HOSTS_LINK = /#join=([\w-]+)/;

class Play {
  /** Whether a request is pending; prevents double requests. */
  isBusy = $state(false);
  /** Whether the server requires an invitation that the user lacks. */
  needsInvitation = $state(false);
  private invitation: string | null = readText(INVITATION);
  private offered: string | null = null;

  /** A suggested name; the same until it is used. */
  suggestedName(): string {
    const names = t("page.name.heirs").split(", ");
    this.offered ??= names[Math.floor(Math.random() * names.length)] ?? "";
    return this.offered;
  }

  /** Suggests another name. */
  anotherName(): string {
    const before = this.suggestedName();
    const names = t("page.name.heirs")
      .split(", ")
      .filter((name) => name !== before);
    this.offered = names[Math.floor(Math.random() * names.length)] ?? before;
    return this.offered;
  }

  async ensureIdentity(name: string = this.suggestedName()): Promise<Me> {
    return session.me ?? (await session.join(name, this.invitation));
  }

  /** Stores the invitation of a host's link; returns whether the text contains one. */
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

  /** Opens a table, takes the first seat and the seats of others at this device, and goes there. */
  open(
    settings: TableSettings,
    start: boolean,
    here: { seat: number; name: string | null }[] = [{ seat: 0, name: null }],
  ): Promise<boolean> {
    return this.attempt(async () => {
      await this.ensureIdentity();
      const answer = await request<TableAnswer>("POST", "/tables", {
        settings,
        sit: here.map(({ seat }) => seat),
        names: here.map(({ name }) => name),
        entropy: entropy(),
        start,
      });
      router.go({ screen: "table", table: answer.info.table, invite: start ? null : answer.you.invite });
    });
  }

  /** Runs an action; a refusal goes to a toast, or to `refused`. */
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
    } else if (error instanceof Unreachable || error instanceof ConnectionLost) {
      toast(() => t("page.failed.unreachable"), { isBad: true });
    } else throw error;
  }
}

/** The table of a link or of a link's last part. */
export function tableIn(text: string): Route | null {
  const cut = text.trim();
  const hash = cut.includes("#")
    ? cut.slice(cut.indexOf("#"))
    : `#/table/${cut.replace(/^\/*(table\/)?/, "")}`;
  if (!/^#\/table\/[\w-]+(\/[\w-]+)?\/?$/.test(hash)) return null;
  return read(hash);
}

export const play = new Play();
