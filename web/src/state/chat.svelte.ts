/** Chat and reactions at a table, without muted people. */
import type { Audience, ChatLine, React } from "../wire/types";
import { read, write } from "./storage";
import type { LiveTable } from "./table.svelte";

export type Reaction = React["reaction"];
export const REACTIONS: readonly Reaction[] = [
  "hello",
  "luck",
  "bravo",
  "thanks",
  "laugh",
  "ouch",
  "think",
  "hurry",
];

const KEY = "muted";
const LIMIT = 200;

function load(): string[] {
  const found = read<unknown>(KEY, []);
  return Array.isArray(found) ? found.filter((person) => typeof person === "string") : [];
}

/** People muted on this device; they are not informed. */
class Muted {
  private people = $state.raw<readonly string[]>(load());

  has(person: string): boolean {
    return this.people.includes(person);
  }

  toggle(person: string): void {
    this.people = this.has(person)
      ? this.people.filter((other) => other !== person)
      : [...this.people, person].slice(-LIMIT);
    write(KEY, this.people);
  }
}

export const muted = new Muted();

/** The audience of the viewer's messages. */
export function ownAudience(table: LiveTable): Audience {
  return table.seat === null && !table.isShared ? "spectators" : "table";
}

/** Unread lines by other people who are not muted. */
export function unreadLines(table: LiveTable, me: string | undefined, lastRead: number): ChatLine[] {
  return table.chat.filter((line) => line.id > lastRead && line.person !== me && !muted.has(line.person));
}
