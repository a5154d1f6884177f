/** What is said to those who listen to the page instead of looking at it. */
import { untrack } from "svelte";

export type Urgency = "polite" | "assertive";
export interface Saying {
  id: number;
  text: string;
}

const LASTS = 12_000;

class Sayings {
  polite = $state.raw<Saying[]>([]);
  assertive = $state.raw<Saying[]>([]);
  private number = 0;

  /** Each saying is a line of its own, so that the same words are heard again. */
  add(text: string, urgency: Urgency): void {
    const id = ++this.number;
    this[urgency] = [...this[urgency], { id, text }];
    setTimeout(() => (this[urgency] = this[urgency].filter((saying) => saying.id !== id)), LASTS);
  }
}

export const sayings = new Sayings();

/** Also from within an effect, which must not run again because something was said. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  if (text) untrack(() => sayings.add(text, urgency));
}
