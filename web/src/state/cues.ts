/** Events on the stage, for sound. */
import type { View } from "../wire/types";
import type { Step } from "./steps";
import type { GameEvent } from "./table.svelte";

export type Cue =
  | { type: "tumble"; step: Step }
  | { type: "shown"; step: Step; before: View }
  /** All at once, when animations are off. */
  | { type: "skipped"; events: readonly GameEvent[]; before: View | null }
  /** All events are shown; `before` is the view at the previous rest. */
  | { type: "rest"; before: View | null; view: View };

export const cues: { onCue: ((cue: Cue) => void) | null } = { onCue: null };
