/** Who can play in place of people: the server's bots, the weakest first, and one's own programs. */
import { words } from "../i18n/index.svelte";
import { ask } from "../wire/rest";
import type { ProgramLine } from "../wire/types";

/** Neither a walk-over nor beyond a beginner; a stranger's bot, or the strongest, is for those who ask for it. */
const USUAL = "greedy";

class Bots {
  levels = $state.raw<string[]>([]);

  async load(): Promise<void> {
    if (this.levels.length > 0) return;
    try {
      this.levels = await ask<string[]>("GET", "/bots");
    } catch {
      // Whoever asks next tries again.
    }
  }

  /** The one for somebody who does not want to choose. */
  get usual(): string {
    return this.levels.includes(USUAL) ? USUAL : (this.levels.at(-1) ?? USUAL);
  }
}

export const bots = new Bots();

/** Ours have names of their own; others are called what they call themselves. */
export function botName(level: string): string {
  const key = `page.bot.${level}`;
  return words.has(key) ? words.say(key) : level;
}

export function botHint(level: string): string {
  const key = `page.bot.${level}.hint`;
  return words.has(key) ? words.say(key) : "";
}

/** The programs that one keeps on this server. */
class Programs {
  mine = $state.raw<ProgramLine[]>([]);

  async load(): Promise<void> {
    this.mine = await ask<ProgramLine[]>("GET", "/me/programs");
  }
}

export const programs = new Programs();
