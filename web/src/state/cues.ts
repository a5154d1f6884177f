/** What happens on the stage, for whoever wants to hear it; nobody does unless sound is on. */
import type { View } from "../wire/types";
import type { Step } from "./steps";
import type { GameEvent } from "./table.svelte";

export type Cue =
  | { type: "tumble"; step: Step }
  | { type: "told"; step: Step; before: View }
  /** All at once, for those who want to see nothing move. */
  | { type: "skipped"; events: readonly GameEvent[]; before: View | null }
  /** All is told; `before` is how the table stood when it last was. */
  | { type: "rest"; before: View | null; view: View };

export const cues: { hear: ((cue: Cue) => void) | null } = { hear: null };
