/** Scroll position and focus on navigation: the top of the screen and its heading. */
import { tick } from "svelte";

let hasMoved = false;

export function enter(): void {
  const place = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  place?.focus({ preventScroll: true });
}

/** Call it when the screen has changed. */
export async function enterScreen(): Promise<void> {
  hasMoved = true;
  await tick();
  scrollTo(0, 0);
  enter();
}

/** Call it when a lazily loaded screen appears; the first screen of a visit keeps the browser's defaults. */
export async function arrive(): Promise<void> {
  await tick();
  if (hasMoved && document.activeElement === document.body) enter();
}
