import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../src/state/settings.svelte";
import { TIMEOUT, Stage } from "../src/state/stage.svelte";
import { PACES } from "../src/state/steps";
import { reveal, seat, slot, numberedEvents, view } from "./games";

const LONG = 60_000;
const before = view();
const claim = { type: "claim", seat: 1, place: [{ slot: 0, dice: 2, effort: 3 }], last: false } as const;
const after = view({
  actor: 2,
  row: [slot(0, "I4", { holder: 1, dice: 2, effort: 3 }), ...before.row.slice(1)],
});

function claims(n: number) {
  return numberedEvents(n, { ...claim, place: [...claim.place] });
}

function roll(who: number, n = 0) {
  return numberedEvents(n, { type: "roll", seat: who, slot: 0, effort: 4, rolled: [2, 5] });
}

function setHidden(isHidden: boolean) {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

let stage: Stage;

beforeEach(() => {
  vi.useFakeTimers();
  settings.change({ speed: "normal", throwsByHand: true });
  stage = new Stage();
  stage.show(before);
});
afterEach(() => {
  stage.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the queue", () => {
  it("plays events in order, each with its line, and ends with the server's view", () => {
    const events = numberedEvents(
      5,
      { ...claim, place: [...claim.place], last: true },
      { type: "roll", seat: 1, slot: 0, effort: 3, rolled: [1, 4] },
      { type: "collect", seat: 1, cards: ["I4"] },
      reveal({ round: 2 }),
    );
    const final = view({ round: 2, leader: 1 });
    const steps: unknown[] = [];
    stage.play(events, final);
    for (let guard = 0; stage.isBusy && guard < 20; guard++) {
      steps.push([stage.now?.kind, stage.firstUnshown]);
      vi.runOnlyPendingTimers();
    }
    expect(steps).toEqual([
      ["place", 6],
      ["roll", 6],
      ["roll", 7],
      ["collect", 8],
      ["pass", 8],
      ["reveal", 9],
    ]);
    expect(stage.view).toBe(final);
    expect(stage.firstUnshown).toBe(Infinity);
  });

  it("hides the faces of dice until they lie", () => {
    stage.play(roll(1, 3), view({ phase: "idol" }));
    expect(stage.moment).toBe("tumbling");
    expect(stage.firstUnshown).toBe(3);
    expect(stage.faces).toEqual({});
    vi.advanceTimersByTime(PACES.normal.tumble);
    expect(stage.moment).toBe("shown");
    expect(stage.firstUnshown).toBe(4);
    expect(stage.faces).toEqual({ 0: [2, 5] });
  });

  it("plays updates in order of arrival", () => {
    const later = view({ actor: 0 });
    stage.play(claims(0), after);
    stage.play(numberedEvents(1, { type: "recover", seat: 2, dice: 0 }), later);
    expect(stage.view).toBe(after);
    expect(stage.firstUnshown).toBe(1);
    vi.advanceTimersByTime(LONG);
    expect(stage.view).toBe(later);
    expect(stage.isBusy).toBe(false);
  });

  it("skips to the end and shows the remaining events at once", () => {
    const final = view({ round: 2 });
    stage.play([...roll(1, 0), ...numberedEvents(1, { type: "collect", seat: 1, cards: ["I4"] })], after);
    stage.play(numberedEvents(2, reveal({ round: 2 })), final);
    stage.skip();
    expect(stage.view).toBe(final);
    expect(stage.isBusy).toBe(false);
    expect(stage.lastEvents.map((event) => event.n)).toEqual([0, 1, 2]);
    expect(stage.firstUnshown).toBe(Infinity);
    vi.advanceTimersByTime(LONG);
    expect(stage.view).toBe(final);
  });

  it("shows no event twice after a skip", () => {
    stage.play([...claims(0), ...roll(1, 1)], after);
    stage.skip();
    expect(stage.lastEvents.map((event) => event.n)).toEqual([1]);
  });

  it("catches up when more than four updates wait", () => {
    const last = view({ round: 7 });
    for (let n = 0; n < 5; n++) stage.play(claims(n), after);
    expect(stage.isBusy).toBe(true);
    stage.play(claims(5), last);
    expect(stage.isBusy).toBe(false);
    expect(stage.view).toBe(last);
  });

  it("ends the current step early on request", () => {
    stage.play([...roll(1, 0), ...numberedEvents(1, { type: "collect", seat: 1, cards: ["I4"] })], after);
    stage.finishStep();
    expect(stage.moment).toBe("shown");
    stage.finishStep();
    expect(stage.now?.kind).toBe("collect");
  });

  it("is instant in a hidden tab and when the tab is hidden", () => {
    stage.play(claims(0), after);
    setHidden(true);
    expect(stage.isBusy).toBe(false);
    const later = view({ actor: 1 });
    stage.play(claims(1), later);
    expect(stage.isBusy).toBe(false);
    expect(stage.view).toBe(later);
  });

  it("is cleared when a view is shown directly", () => {
    const anew = view({ round: 4 });
    stage.play(roll(1), after);
    stage.show(anew);
    vi.advanceTimersByTime(LONG);
    expect(stage.view).toBe(anew);
    expect(stage.isBusy).toBe(false);
  });

  it("applies changes through the mover", () => {
    const move = vi.fn((change: () => void) => change());
    stage.move = move;
    stage.play(claims(0), after);
    expect(move).toHaveBeenCalledWith(expect.any(Function), PACES.normal.travel);
  });

  it("never takes longer than a second from one step to the next", () => {
    for (const pace of Object.values(PACES))
      for (const time of Object.values(pace)) expect(time).toBeLessThanOrEqual(1000);
  });
});

describe("speed", () => {
  it("is instant if the settings say so", () => {
    settings.change({ speed: "instant" });
    stage.play(roll(0), after);
    expect(stage.isBusy).toBe(false);
    expect(stage.view).toBe(after);
    expect(stage.lastEvents).toHaveLength(1);
  });

  it("is instant with reduced motion", async () => {
    vi.resetModules();
    const still = { matches: true, addEventListener: () => undefined } as unknown as MediaQueryList;
    vi.spyOn(globalThis, "matchMedia").mockReturnValue(still);
    const { settings: calm } = await import("../src/state/settings.svelte");
    const { Stage: StillStage } = await import("../src/state/stage.svelte");
    expect(calm.speed).toBe("instant");
    const quiet = new StillStage();
    quiet.show(before);
    quiet.play(roll(0), after);
    expect(quiet.isBusy).toBe(false);
    expect(quiet.view).toBe(after);
    quiet.close();
  });
});

describe("the throw", () => {
  it("waits for the gesture of the dice's owner", () => {
    stage.play(roll(0), after);
    expect(stage.isWaitingForThrow).toBe(true);
    vi.advanceTimersByTime(TIMEOUT - 100);
    expect(stage.isWaitingForThrow).toBe(true);
    stage.throwDice();
    expect(stage.moment).toBe("tumbling");
    vi.advanceTimersByTime(LONG);
    expect(stage.view).toBe(after);
  });

  it("happens by itself after a timeout", () => {
    stage.play(roll(0), after);
    vi.advanceTimersByTime(TIMEOUT);
    expect(stage.moment).toBe("tumbling");
  });

  it("does not wait if throwing by hand is off, for other seats, or while a bot plays for the viewer", () => {
    stage.play(roll(1), after);
    expect(stage.isWaitingForThrow).toBe(false);
    stage.skip();
    stage.play(roll(0), after, false);
    expect(stage.isWaitingForThrow).toBe(false);
    stage.skip();
    settings.change({ throwsByHand: false });
    stage.play(roll(0), after);
    expect(stage.isWaitingForThrow).toBe(false);
  });

  it("covers all cards of a seat, and no dice of effort 1", () => {
    const safe = { type: "roll", seat: 0, slot: 2, effort: 1, rolled: [] as number[] } as const;
    stage.play(
      [...roll(0), ...numberedEvents(1, { type: "roll", seat: 0, slot: 1, effort: 2, rolled: [6] })],
      after,
    );
    expect(stage.now?.logged).toHaveLength(2);
    stage.skip();
    stage.play(numberedEvents(2, { ...safe, rolled: [] }), after);
    expect(stage.isWaitingForThrow).toBe(false);
    expect(stage.firstUnshown).toBe(3);
  });

  it("still waits when other seats act meanwhile", () => {
    stage.play(roll(0), after);
    for (let n = 1; n < 8; n++) stage.play(claims(n), after);
    expect(stage.isWaitingForThrow).toBe(true);
    stage.throwDice();
    vi.advanceTimersByTime(PACES.normal.tumble + PACES.normal.ownResultPause);
    expect(stage.isBusy).toBe(false);
  });
});

describe("the Ghost's turn", () => {
  const alone = view({ players: 1, is_solo: true, seats: [seat(0), seat(1, { is_ghost: true })] });
  const haunting = {
    type: "ghost",
    rolled: [5, 2, 5],
    place: [
      { slot: 0, dice: 2, effort: 5 },
      { slot: 1, dice: 1, effort: 2 },
    ],
    last: false,
  } as const;

  it("is a roll, then the groups one by one; its log line comes last", () => {
    stage.show(alone);
    stage.play(
      numberedEvents(4, { ...haunting, rolled: [...haunting.rolled], place: [...haunting.place] }),
      view(),
    );
    expect(stage.moment).toBe("tumbling");
    vi.advanceTimersByTime(PACES.normal.tumble);
    expect(stage.now?.placed).toBe(0);
    expect(stage.view?.row.every((one) => one.holder === null)).toBe(true);
    vi.advanceTimersByTime(PACES.normal.resultPause);
    expect(stage.now?.placed).toBe(1);
    expect(stage.firstUnshown).toBe(4);
    expect(stage.view?.row.map((one) => one.holder)).toEqual([1, null, null, null]);
    vi.advanceTimersByTime(PACES.normal.travel * 1.5);
    expect(stage.now?.placed).toBe(2);
    expect(stage.firstUnshown).toBe(5);
  });
});
