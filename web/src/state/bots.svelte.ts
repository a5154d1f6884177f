/** Computer players: the server's bots, weakest first, and the user's programs. */
import { words } from "../i18n/index.svelte";
import { request } from "../wire/rest";
import type { ProgramLine } from "../wire/types";

/** The default: a fair opponent for beginners. Plug-ins and the strongest bots must be selected. */
const USUAL = "greedy";

class Bots {
  levels = $state.raw<string[]>([]);

  async load(): Promise<void> {
    if (this.levels.length > 0) return;
    try {
      this.levels = await request<string[]>("GET", "/bots");
    } catch {
      // The next caller retries.
    }
  }

  /** The default bot. */
  get usual(): string {
    return this.levels.includes(USUAL) ? USUAL : (this.levels.at(-1) ?? USUAL);
  }
}

export const bots = new Bots();

/** Built-in bots have translated names; plug-ins use their own. */
export function botName(level: string): string {
  const key = `page.bot.${level}`;
  return words.has(key) ? words.translate(key) : level;
}

export function botHint(level: string): string {
  const key = `page.bot.${level}.hint`;
  return words.has(key) ? words.translate(key) : "";
}

/** The user's programs on this server. */
class Programs {
  mine = $state.raw<ProgramLine[]>([]);

  async load(): Promise<void> {
    this.mine = await request<ProgramLine[]>("GET", "/me/programs");
  }
}

export const programs = new Programs();
