/** Toasts: short messages that disappear; those with an action stay longer. */

/** A function is evaluated at each rendering, so that it follows the language. */
export type Wording = string | (() => string);

export const inWords = (wording: Wording): string => (typeof wording === "string" ? wording : wording());

export interface ToastAction {
  label: Wording;
  run: () => void;
}
export interface ToastOptions {
  action?: ToastAction;
  isBad?: boolean;
}
export interface Note extends ToastOptions {
  id: number;
  text: Wording;
}

const LASTS = 6_000;
const LASTS_WITH_ACTION = 15_000;
const LIMIT = 3;

class Notes {
  list = $state.raw<Note[]>([]);
  private number = 0;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  add(text: Wording, options: ToastOptions): void {
    const note = { id: ++this.number, text, ...options };
    const others = this.list.filter((other) => inWords(other.text) !== inWords(text));
    this.list = [...others, note].slice(-LIMIT);
    this.resume(note);
  }

  drop(id: number): void {
    this.pause(id);
    this.list = this.list.filter((note) => note.id !== id);
  }

  /** Stops the timer while the toast is read. */
  pause(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  resume(note: Note): void {
    this.pause(note.id);
    const lasts = note.action ? LASTS_WITH_ACTION : LASTS;
    this.timers.set(
      note.id,
      setTimeout(() => this.drop(note.id), lasts),
    );
  }
}

export const notes = new Notes();

export function toast(text: Wording, options: ToastOptions = {}): void {
  notes.add(text, options);
}
