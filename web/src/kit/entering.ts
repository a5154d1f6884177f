/** Whoever comes to another screen begins at its top, and by keyboard or ear at its heading. */
import { tick } from "svelte";

let hasMoved = false;

export function enter(): void {
  const place = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  place?.focus({ preventScroll: true });
}

/** Another screen is there. */
export async function enterAnew(): Promise<void> {
  hasMoved = true;
  await tick();
  scrollTo(0, 0);
  enter();
}

/** A screen that had to be loaded is there; whoever opened the page with it begins where browsers begin. */
export async function arrive(): Promise<void> {
  await tick();
  if (hasMoved && document.activeElement === document.body) enter();
}
