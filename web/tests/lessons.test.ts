import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { touchFor } from "../src/features/tutorial/guide";
import { lessonAfter, lessonCalled, LESSONS, viewAt, type Lesson } from "../src/features/tutorial/lessons";
import { LessonTable } from "../src/features/tutorial/lessonTable.svelte";
import { settings } from "../src/state/settings.svelte";
import { Staging } from "../src/state/staging.svelte";
import type { WireAction } from "../src/wire/types";

const KEY = "royalcrypt.lessons";
let opened: LessonTable[] = [];

function teach(name: string, at = 0): LessonTable {
  const table = new LessonTable(lessonCalled(name) as Lesson, at);
  opened.push(table);
  return table;
}

/** Skips all queued steps. */
function finishScene(table: LessonTable): void {
  for (let guard = 0; table.stage.isBusy && guard < 60; guard += 1) vi.runOnlyPendingTimers();
  expect(table.stage.isBusy).toBe(false);
}

beforeEach(() => {
  opened = [];
  settings.change({ speed: "instant", throwsByHand: true });
});
afterEach(() => {
  for (const table of opened) table.close();
  vi.useRealTimers();
});

describe("a lesson", () => {
  it.each(LESSONS.map(({ name }) => name))(
    "%s is taken to its end by the moves it asks for",
    async (name) => {
      const table = teach(name);
      while (!table.isLastStep) {
        const before = table.at;
        if (table.step.do) await table.act(table.step.do);
        else table.goOn();
        expect(table.at).toBe(before + 1);
      }
      expect(table.stage.view).toEqual(viewAt(table.lesson, table.lesson.steps.length));
      expect(table.isAsked).toBe(false);
    },
  );

  it("asks for nothing while a step is only read", () => {
    const table = teach("reward");
    expect([table.step.light, table.view?.actions, new Staging(table).form, table.view?.actor]).toEqual([
      "collector-I",
      [],
      null,
      null,
    ]);
    table.goOn();
    expect(new Staging(table).form?.ready).toBe(3);
  });

  it("changes nothing after another move, and knows which it was", async () => {
    const table = teach("push");
    const before = table.stage.view;
    const stray: WireAction = { do: "claim", place: [{ slot: 0, dice: 1, effort: 3 }] };
    await table.act([stray]);
    expect([table.at, table.stage.view, table.wrongMove]).toEqual([0, before, stray]);
    await table.act([{ do: "recover" }]);
    expect(table.wrongMove?.do).toBe("recover");
    await table.act([{ do: "claim", place: [{ slot: 0, dice: 3, effort: 1 }] }]);
    expect([table.at, table.wrongMove]).toEqual([1, null]);
  });

  it("takes several placements in any order", async () => {
    const table = teach("last");
    await table.act([
      {
        do: "claim",
        place: [
          { slot: 2, dice: 1, effort: 1 },
          { slot: 0, dice: 1, effort: 1 },
        ],
      },
    ]);
    expect(table.at).toBe(1);
  });

  it("goes back to how a step began", async () => {
    const table = teach("claim");
    const start = table.stage.view;
    table.goOn();
    await table.act(table.step.do ?? []);
    table.back();
    expect(table.isAsked).toBe(true);
    expect(table.stage.view?.row[1]?.holder).toBe(1);
    table.back();
    table.back();
    expect([table.at, table.stage.view]).toEqual([0, start]);
  });

  it("goes on at the step somebody had reached, and from the start if there is none such", () => {
    expect(teach("claim", 1).stage.view).toEqual(viewAt(lessonCalled("claim") as Lesson, 1));
    expect(teach("claim", 99).at).toBe(0);
    expect(teach("claim", -1).at).toBe(0);
  });

  it("tells what follows before it asks for more, and lets one's own dice wait for the hand", async () => {
    vi.useFakeTimers();
    settings.change({ speed: "normal" });
    const table = teach("roll");
    await table.act(table.step.do ?? []);
    expect([table.at, table.stage.isBusy]).toEqual([1, true]);
    for (let guard = 0; !table.stage.isWaitingForThrow && guard < 40; guard += 1) vi.runOnlyPendingTimers();
    table.stage.throwDice();
    finishScene(table);
    expect(table.stage.view?.seats[0]?.exhausted).toBe(1);
  });

  it("is followed by the next, the last by none", () => {
    expect(LESSONS.map((lesson) => lessonAfter(lesson)?.name)).toEqual([
      ...LESSONS.slice(1).map(({ name }) => name),
      undefined,
    ]);
    expect([lessonCalled("nothing"), lessonCalled(null)]).toEqual([null, null]);
  });
});

describe("the guide", () => {
  /** The elements that the guide highlights until the move is made. */
  function follow(name: string, at: number): string[] {
    const table = teach(name, at);
    const staging = new Staging(table);
    const move = table.step.do?.[0] as WireAction;
    const way: string[] = [];
    for (let guard = 0; guard < 12; guard += 1) {
      const touch = touchFor(move, staging);
      way.push(Object.values(touch).join(" "));
      if (touch.kind === "card") staging.select(touch.slot);
      else if (touch.kind === "dice") staging.setDice(touch.value);
      else if (touch.kind === "effort") staging.setEffort(touch.value);
      else if (touch.kind === "another") staging.keep();
      else if (touch.kind === "back") staging.remove(touch.slot);
      else break;
    }
    return way;
  }

  it.each([
    ["claim", 1, ["card 0", "claim"]],
    ["push", 0, ["card 0", "dice 3", "claim"]],
    ["roll", 0, ["card 0", "effort 4", "claim"]],
    ["recover", 1, ["recover"]],
    ["last", 0, ["card 0", "another", "card 2", "claim"]],
    ["last", 1, ["card 0", "dice 2", "claim"]],
    ["reward", 1, ["card 0", "effort 5", "claim"]],
    ["reward", 2, ["accept"]],
  ])("leads through %s, step %i", (name, at, way) => {
    expect(follow(name, at)).toEqual(way);
  });

  it("has dice that do not belong there taken back", () => {
    const table = teach("roll");
    const staging = new Staging(table);
    staging.select(2);
    staging.setEffort(2);
    staging.select(0);
    staging.setEffort(4);
    expect(touchFor(table.step.do?.[0] as WireAction, staging)).toEqual({ kind: "back", slot: 2 });
  });
});

describe("how far one has come", () => {
  /** As after a reload. */
  async function reloaded() {
    vi.resetModules();
    return (await import("../src/state/tutorial.svelte")).tutorialProgress;
  }
  beforeEach(() => localStorage.removeItem(KEY));

  it("is where one left, with what was done", async () => {
    const first = await reloaded();
    expect([first.hasBegun, first.lesson, first.hasFinished]).toEqual([false, "claim", false]);
    first.pass("claim");
    first.pass("claim");
    first.reach("push", 1);
    const later = await reloaded();
    expect([later.hasBegun, later.lesson, later.stepOf("push"), later.stepOf("roll")]).toEqual([
      true,
      "push",
      1,
      0,
    ]);
    expect([later.isDone("claim"), later.isDone("push"), later.progress.done]).toEqual([
      true,
      false,
      ["claim"],
    ]);
  });

  it("stays finished, also for those who look at a lesson again", async () => {
    const first = await reloaded();
    first.finish();
    first.reach("roll", 1);
    const later = await reloaded();
    expect([later.hasFinished, later.lesson]).toEqual([true, "roll"]);
  });

  it.each(["no JSON", "[]", "null", '{"lesson":5,"step":"x","done":"all","hasFinished":"yes"}'])(
    "begins anew where the browser kept %s",
    async (kept) => {
      localStorage.setItem(KEY, kept);
      const { progress } = await reloaded();
      expect(progress).toEqual({ lesson: null, step: 0, done: [], hasFinished: false });
    },
  );
});
