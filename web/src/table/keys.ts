/** Single-key shortcuts of the table; they can be switched off (WCAG 2.1.4). */
import { settings } from "../state/settings.svelte";
import type { Staging } from "../state/staging.svelte";

export interface KeyTargets {
  staging: Staging;
  /** Cards in the row. */
  slots: number;
  showHelp: () => void;
  /** Goes to the next game on turn; returns whether there is one. */
  goOn: () => boolean;
}

const WRITES = "input, select, textarea, [contenteditable='true'], [role='slider'], [role='tab']";
const ACTS = "button, a, summary, [role='button']";

/** The button of a card in the row. */
export function cardButton(slot: number): HTMLElement | null {
  return document.querySelector(`[data-slot="${slot}"]`)?.closest("button") ?? null;
}

function isElsewhere(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  return Boolean(target?.closest(WRITES) || document.querySelector("dialog:modal"));
}

function isOnCard(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLButtonElement && event.target.querySelector("[data-slot]") !== null;
}

/** With Shift most layouts give another character, so the key's position decides. */
function digitOf(event: KeyboardEvent): number | null {
  const found = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1] ?? /^[1-6]$/.exec(event.key)?.[0];
  return found === undefined ? null : Number(found);
}

/** Falls back to the key's position on keyboards without Latin letters. */
function letterOf(event: KeyboardEvent): string | null {
  const letter = event.key.toLowerCase();
  if (/^[a-z]$/.test(letter)) return letter;
  const isOtherLetter = /^\p{Letter}$/u.test(letter) && !event.getModifierState("AltGraph");
  return (isOtherLetter && /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()) || null;
}

function step(event: KeyboardEvent, isOnRow: boolean): number {
  if (event.key === "ArrowRight" || (isOnRow && event.key === "ArrowDown")) return 1;
  if (event.key === "ArrowLeft" || (isOnRow && event.key === "ArrowUp")) return -1;
  return 0;
}

function go(by: number, { staging, slots }: KeyTargets): void {
  if (slots === 0) return;
  const from = staging.selected ?? (by > 0 ? -1 : slots);
  const slot = (from + by + slots) % slots;
  staging.select(slot);
  cardButton(slot)?.focus();
}

/** Handles a key; returns whether it is a shortcut. */
function play(event: KeyboardEvent, targets: KeyTargets): boolean {
  const { staging } = targets;
  const isOnRow = isOnCard(event);
  const by = step(event, isOnRow);
  const digit = digitOf(event);
  const letter = letterOf(event);
  if (by !== 0) go(by, targets);
  else if (event.key === "?") targets.showHelp();
  else if (event.key === "Escape") {
    if (staging.selected === null && staging.placements.length === 0) return false;
    staging.clear();
  } else if (event.key === "Enter") {
    const acts = event.target instanceof Element && event.target.closest(ACTS);
    if ((acts && !isOnRow) || !staging.canConfirm || event.repeat) return false;
    void staging.confirm();
  } else if (digit !== null && event.shiftKey) {
    if (digit > 3) return false;
    staging.setDice(digit);
  } else if (digit !== null) staging.setEffort(digit);
  else if (letter === "d") staging.turnDice();
  else if (letter === "a") staging.keep();
  else if (letter === "r") {
    if (event.repeat) return false;
    void staging.recover();
  } else if (letter === "n" && staging.form === null) return targets.goOn();
  else return false;
  return true;
}

export function onKey(event: KeyboardEvent, targets: KeyTargets): void {
  if (!settings.chosen.usesKeys || event.defaultPrevented || isElsewhere(event)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (play(event, targets)) event.preventDefault();
}
