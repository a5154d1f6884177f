/** Progress in the tutorial, stored on this device. */
import { read, write } from "./storage";

export const FIRST_LESSON = "claim";
const KEY = "lessons";

interface Progress {
  /** The lesson in progress, if any. */
  lesson: string | null;
  step: number;
  done: string[];
  hasFinished: boolean;
}

class TutorialProgress {
  progress = $state.raw<Progress>(load());

  get hasFinished(): boolean {
    return this.progress.hasFinished;
  }

  /** The lesson to continue with, or the first. */
  get lesson(): string {
    return this.progress.lesson ?? FIRST_LESSON;
  }

  get hasBegun(): boolean {
    return this.progress.lesson !== null;
  }

  isDone(lesson: string): boolean {
    return this.progress.done.includes(lesson);
  }

  /** The step to continue with. */
  stepOf(lesson: string): number {
    return this.progress.lesson === lesson ? this.progress.step : 0;
  }

  reach(lesson: string, step: number): void {
    this.keep({ ...this.progress, lesson, step });
  }

  pass(lesson: string): void {
    this.keep({ ...this.progress, done: [...new Set([...this.progress.done, lesson])] });
  }

  /** Disables the tutorial's invitation. */
  finish(): void {
    this.keep({ ...this.progress, lesson: null, step: 0, hasFinished: true });
  }

  private keep(progress: Progress): void {
    this.progress = progress;
    write(KEY, progress);
  }
}

function load(): Progress {
  const found = read<Partial<Progress>>(KEY, {});
  return {
    lesson: typeof found.lesson === "string" ? found.lesson : null,
    step: Number.isInteger(found.step) ? Number(found.step) : 0,
    done: Array.isArray(found.done) ? found.done.filter((name) => typeof name === "string") : [],
    hasFinished: found.hasFinished === true,
  };
}

export const tutorialProgress = new TutorialProgress();
