/** The analysis of the open game: requested on demand and polled until it is ready. */
import { request } from "../../wire/rest";
import type { GameAnalysis, Reason } from "../../wire/types";
import { reasonOf } from "../../state/failure";
import type { Source } from "../replay/replays";

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 1500;
const UNREADY = "analysis_unready";
const GOES_ON = [UNREADY, "analysis_under_way"];

export class AnalysisState {
  isOpen = $state(false);
  analysis = $state.raw<GameAnalysis | null>(null);
  /** Why no analysis is available. */
  failure = $state.raw<Reason | null>(null);
  /** Whether the server is still preparing its analysis. */
  isUnready = $state(false);
  private requestId = 0;

  open(source: Source): void {
    this.isOpen = true;
    if (!this.analysis) void this.fetch(source);
  }

  /** Stops polling; the results stay cached. */
  close(): void {
    this.isOpen = false;
    this.requestId += 1;
  }

  /** Clears the results when another game is opened. */
  clear(): void {
    this.close();
    this.analysis = null;
    this.failure = null;
  }

  async fetch(source: Source): Promise<void> {
    const turn = ++this.requestId;
    this.failure = null;
    this.isUnready = false;
    while (turn === this.requestId) {
      try {
        const found = await analysisOf(source);
        if (turn === this.requestId) this.analysis = found;
        return;
      } catch (error) {
        if (turn !== this.requestId) return;
        const reason = reasonOf(error);
        this.isUnready = reason.code === UNREADY;
        if (!GOES_ON.includes(reason.code)) {
          this.failure = reason;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      }
    }
  }
}

function analysisOf(source: Source): Promise<GameAnalysis> {
  if (source.kind === "table")
    return request<GameAnalysis>("GET", `/tables/${source.table}/analysis`, undefined, source.invite);
  return request<GameAnalysis>("POST", "/analysis", source.record);
}
