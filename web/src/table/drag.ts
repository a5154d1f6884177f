/** Dragging dice onto cards by mouse, pen or finger. */
import type { Action } from "svelte/action";
import type { Staging } from "../state/staging.svelte";

export interface Drag {
  staging: Staging;
  /** The card it is staged on; null for a die at home. */
  from?: number | null;
}

/** Movement in pixels below which a press is no drag. */
const THRESHOLD = 6;

function slotUnder(x: number, y: number): number | null {
  const found = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>("[data-slot]"))
    .find((element) => element !== null);
  return found ? Number(found.dataset.slot) : null;
}

/** A copy above everything, with the die's size and colours. */
function lift(die: HTMLElement): HTMLElement {
  const at = die.getBoundingClientRect();
  const copy = document.createElement("div");
  copy.append(die.cloneNode(true));
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, {
    position: "fixed",
    inset: "auto",
    left: `${at.left}px`,
    top: `${at.top}px`,
    margin: "0",
    padding: "0",
    border: "0",
    background: "none",
    overflow: "visible",
    pointerEvents: "none",
    zIndex: "1000",
  });
  die.parentElement?.append(copy);
  if (copy.showPopover) {
    copy.popover = "manual";
    copy.showPopover();
  }
  return copy;
}

export const draggableDie: Action<HTMLElement, Drag> = (die, drag) => {
  let { staging, from = null } = drag;
  let start: { x: number; y: number; pointer: number } | null = null;
  let copy: HTMLElement | null = null;

  die.style.touchAction = "none";
  die.style.cursor = "grab";
  die.style.userSelect = "none";

  function press(event: PointerEvent): void {
    if (event.button !== 0 || !staging.form || staging.isSending) return;
    start = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    die.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (!start || event.pointerId !== start.pointer) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!copy) {
      if (Math.hypot(dx, dy) < THRESHOLD) return;
      copy = lift(die);
      die.style.opacity = "0.3";
    }
    copy.style.transform = `translate(${dx}px, ${dy}px) scale(1.12)`;
    staging.hovered = slotUnder(event.clientX, event.clientY);
  }

  function drop(event: PointerEvent): void {
    if (!start || event.pointerId !== start.pointer) return;
    const isDragged = copy !== null;
    const slot = slotUnder(event.clientX, event.clientY);
    end();
    if (!isDragged || slot === from) return;
    suppressClick();
    if (from !== null) staging.removeDie(from);
    if (slot !== null) staging.addDie(slot);
  }

  /** Suppresses the click that ends a drag. */
  function suppressClick(): void {
    const swallow = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  }

  function end(): void {
    copy?.remove();
    copy = null;
    start = null;
    die.style.opacity = "";
    staging.hovered = null;
  }

  /** Prevents the browser's own drag, which would capture the pointer. */
  function stayHere(event: Event): void {
    event.preventDefault();
  }

  die.addEventListener("dragstart", stayHere);
  die.addEventListener("pointerdown", press);
  die.addEventListener("pointermove", move);
  die.addEventListener("pointerup", drop);
  die.addEventListener("pointercancel", end);
  return {
    update(next) {
      ({ staging, from = null } = next);
    },
    destroy: end,
  };
};
