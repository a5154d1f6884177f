/** Announcements for screen readers. */
import { untrack } from "svelte";

export type Urgency = "polite" | "assertive";
export interface Announcement {
  id: number;
  text: string;
}

const LASTS = 12_000;

class Announcements {
  polite = $state.raw<Announcement[]>([]);
  assertive = $state.raw<Announcement[]>([]);
  private number = 0;

  /** Each announcement is a new element, so that repeated texts are read again. */
  add(text: string, urgency: Urgency): void {
    const id = ++this.number;
    this[urgency] = [...this[urgency], { id, text }];
    setTimeout(() => (this[urgency] = this[urgency].filter((announcement) => announcement.id !== id)), LASTS);
  }
}

export const announcements = new Announcements();

/** Untracked, so that a calling effect does not rerun because of it. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  if (text) untrack(() => announcements.add(text, urgency));
}
