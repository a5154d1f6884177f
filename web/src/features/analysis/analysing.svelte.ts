/** The analysis of the game that is looked at: asked for when somebody wants it, and waited for while it takes. */
import { ask } from "../../wire/rest";
import type { GameAnalysis, Reason } from "../../wire/types";
import { reasonOf } from "../../state/failure";
import type { Source } from "../replay/replays";

/** Milliseconds after which it is asked for again. */
const PAUSE = 1500;
const UNREADY = "analysis_unready";
const GOES_ON = [UNREADY, "analysis_under_way"];

export class Analysing {
  isOpen = $state(false);
  analysis = $state.raw<GameAnalysis | null>(null);
  /** Why there is none. */
  failure = $state.raw<Reason | null>(null);
  /** Whether the server itself has to get ready first. */
  isUnready = $state(false);
  private asked = 0;

  open(source: Source): void {
    this.isOpen = true;
    if (!this.analysis) void this.fetch(source);
  }

  /** What is known stays for the next time. */
  close(): void {
    this.isOpen = false;
    this.asked += 1;
  }

  /** Another game is looked at. */
  forget(): void {
    this.close();
    this.analysis = null;
    this.failure = null;
  }

  async fetch(source: Source): Promise<void> {
    const turn = ++this.asked;
    this.failure = null;
    this.isUnready = false;
    while (turn === this.asked) {
      try {
        const found = await analysisOf(source);
        if (turn === this.asked) this.analysis = found;
        return;
      } catch (error) {
        if (turn !== this.asked) return;
        const reason = reasonOf(error);
        this.isUnready = reason.code === UNREADY;
        if (!GOES_ON.includes(reason.code)) {
          this.failure = reason;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }
}

function analysisOf(source: Source): Promise<GameAnalysis> {
  if (source.kind === "table")
    return ask<GameAnalysis>("GET", `/tables/${source.table}/analysis`, undefined, source.invite);
  return ask<GameAnalysis>("POST", "/analysis", source.record);
}
