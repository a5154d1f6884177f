/** The lessons as recorded by `scripts/tutorial.py`: all frames are included, no server is needed. */
import { t, type Key } from "../../i18n/index.svelte";
import type { Result } from "../../state/record";
import type { GameEvent } from "../../state/table.svelte";
import type { View, WireAction } from "../../wire/types";
import recordedLessons from "./lessons.json";

export interface Frame {
  events: GameEvent[];
  /** What differs from the previous view. */
  view: Partial<View>;
}

export interface Step {
  /** What a read-only step highlights. */
  light?: string;
  /** The move that completes the step. */
  do?: WireAction[];
  /** The frames that follow. */
  then: Frame[];
}

export interface Lesson {
  name: string;
  start: View;
  /** The events before it. */
  events: GameEvent[];
  steps: Step[];
  /** How the game ended, if it did. */
  result?: Result;
}

/** The address of the screen after the last lesson. */
export const FINISH = "done";

export const LESSONS = recordedLessons as unknown as readonly Lesson[];

export function lessonCalled(name: string | null): Lesson | null {
  return LESSONS.find((lesson) => lesson.name === name) ?? null;
}

export function lessonAfter(lesson: Lesson): Lesson | null {
  return LESSONS[LESSONS.indexOf(lesson) + 1] ?? null;
}

export function titleOf({ name }: Lesson): string {
  return t(`tutorial.${name}.title` as Key);
}

/** The table at the start of a step, or after the last one. */
export function viewAt(lesson: Lesson, step: number): View {
  const frames = lesson.steps.slice(0, step).flatMap(({ then }) => then);
  return frames.reduce<View>((view, frame) => ({ ...view, ...frame.view }), lesson.start);
}

export function eventsBefore(lesson: Lesson, step: number): GameEvent[] {
  const frames = lesson.steps.slice(0, step).flatMap(({ then }) => then);
  return [...lesson.events, ...frames.flatMap(({ events }) => events)];
}
