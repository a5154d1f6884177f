/** Maps what happens on the stage to sounds, at the stage's pace. */
import type { Cue } from "../../state/cues";
import { settings } from "../../state/settings.svelte";
import type { Step } from "../../state/steps";
import type { GameEvent } from "../../state/table.svelte";
import type { View } from "../../wire/types";
import { Synth, type Sound } from "./synth";

let synth: Synth | null = null;

/** Plays a sound with the current settings; also used for the preview. */
export function sound(wanted: Sound, lasts?: number): void {
  synth ??= new Synth();
  synth.play(wanted, settings.chosen.volume, lasts);
}

/** Stops all sounds when they are switched off. */
export function silence(): void {
  synth?.close();
  synth = null;
}

export function onCue(cue: Cue): void {
  const wanted = soundOf(cue);
  if (!wanted) return;
  if (cue.type === "tumble") sound(wanted, cue.step.suspense);
  else sound(wanted);
}

export function soundOf(cue: Cue): Sound | null {
  switch (cue.type) {
    case "tumble":
      return "rolling";
    case "shown":
      return soundOfStep(cue.step, cue.before);
    case "skipped":
      return loudest(cue.events.map((event) => soundOfEvent(event, cue.before)));
    case "rest":
      return cue.view.phase !== "over" && isMine(cue.view) && !isMine(cue.before) && !cue.view.is_solo
        ? "turn"
        : null;
  }
}

function isMine(view: View | null): boolean {
  return view !== null && view.seat !== null && view.actor === view.seat;
}

function soundOfStep({ kind, event, placed, logged }: Step, before: View): Sound | null {
  if (event.type === "ghost") {
    const newest = event.place[placed - 1];
    return newest ? soundOfPlaces([newest.slot], before) : null;
  }
  if (kind === "pass" || kind === "reveal") return null;
  return loudest(logged.map((shownEvent) => soundOfEvent(shownEvent, before)));
}

function soundOfEvent(event: GameEvent, before: View | null): Sound | null {
  switch (event.type) {
    case "claim":
    case "ghost":
      return soundOfPlaces(
        event.place.map(({ slot }) => slot),
        before,
      );
    case "roll":
      return event.rolled.some((face) => face < event.effort) ? "exhausted" : null;
    case "reroll":
      return event.rolled < event.effort ? "exhausted" : null;
    case "take":
    case "collect":
      return "treasure";
    case "end":
      return "end";
    default:
      return null;
  }
}

function soundOfPlaces(slots: readonly number[], before: View | null): Sound | null {
  if (slots.length === 0) return null;
  const isHeld = slots.some((slot) => before?.row.some((card) => card.slot === slot && card.dice > 0));
  return isHeld ? "pushed" : "placed";
}

/** Of simultaneous sounds, only the first in this list is played. */
const LOUDEST: readonly Sound[] = ["end", "exhausted", "treasure", "pushed", "placed"];

function loudest(sounds: readonly (Sound | null)[]): Sound | null {
  return LOUDEST.find((each) => sounds.includes(each)) ?? null;
}

/** Browsers allow audio only after a user gesture. */
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => synth?.unlock());
