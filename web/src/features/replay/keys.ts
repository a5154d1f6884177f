/** Single-key shortcuts of a replay; they can be switched off (WCAG 2.1.4). */
import { settings } from "../../state/settings.svelte";
import type { Player } from "./player.svelte";

export interface KeyTargets {
  player: Player;
  nextViewer: () => void;
  copyLink: () => void;
  analyse: () => void;
  /** To the next or the previous mistake. */
  goToMistake: (isBack: boolean) => void;
  openWhatIf: () => void;
  showHelp: () => void;
}

const WRITES = "input, select, textarea, [contenteditable='true']";
const ACTS = "button, a, summary, [role='button'], [role='log']";

function isOn(event: KeyboardEvent, places: string): boolean {
  return event.target instanceof Element && event.target.closest(places) !== null;
}

function step({ player }: KeyTargets, event: KeyboardEvent): boolean {
  const unit = event.shiftKey ? "move" : "event";
  if (event.key === "ArrowRight") player.next(unit);
  else if (event.key === "ArrowLeft") player.previous(unit);
  else if (event.key === "PageDown") player.next("round");
  else if (event.key === "PageUp") player.previous("round");
  else if (event.key === "Home") player.goTo(player.table.first);
  else if (event.key === "End") player.goTo(player.table.last);
  else return false;
  return true;
}

/** Falls back to the key's position on keyboards without Latin letters. */
function letterOf(event: KeyboardEvent): string {
  return /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace(/^Key/, "").toLowerCase();
}

function order(targets: KeyTargets, event: KeyboardEvent): boolean {
  if (event.key === "?") targets.showHelp();
  else if (event.key === " " && !isOn(event, ACTS)) targets.player.toggle();
  else if (event.repeat) return false;
  else if (letterOf(event) === "k") targets.player.toggle();
  else if (letterOf(event) === "v") targets.nextViewer();
  else if (letterOf(event) === "l") targets.copyLink();
  else if (letterOf(event) === "a") targets.analyse();
  else if (letterOf(event) === "m") targets.goToMistake(event.shiftKey);
  else if (letterOf(event) === "w") targets.openWhatIf();
  else return false;
  return true;
}

export function onKey(event: KeyboardEvent, targets: KeyTargets): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isOn(event, WRITES) || document.querySelector("dialog:modal")) return;
  const isShortcut = step(targets, event) || (settings.chosen.usesKeys && order(targets, event));
  if (isShortcut) event.preventDefault();
}
