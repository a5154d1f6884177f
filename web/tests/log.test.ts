import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync, tick } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { announcements } from "../src/kit/announce.svelte";
import { settings } from "../src/state/settings.svelte";
import { PACES } from "../src/state/steps";
import type { GameEvent } from "../src/state/table.svelte";
import Log from "../src/table/Log.svelte";
import { journeys } from "../src/table/motion";
import StageControls from "../src/table/StageControls.svelte";
import { highlights, isShown, linesOf } from "../src/table/logLines";
import { ghostGroups } from "../src/table/throws";
import { reveal, tableWith, numberedEvents, view } from "./games";

beforeAll(() => words.setLanguage("en"));
beforeEach(() => {
  vi.useFakeTimers();
  settings.change({ speed: "normal", throwsByHand: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const round = numberedEvents(
  0,
  reveal(),
  { type: "claim", seat: 0, place: [{ slot: 0, dice: 2, effort: 3 }], last: false },
  { type: "recover", seat: 1, dice: 0 },
  { type: "roll", seat: 0, slot: 0, effort: 3, rolled: [2, 5] },
  { type: "collect", seat: 0, cards: ["I4"] },
  reveal({ round: 2, leader: 1 }),
);

function lines(): string[] {
  return screen.queryAllByRole("listitem").map((line) => line.textContent?.trim() ?? "");
}

describe("the log", () => {
  it("groups lines by round", () => {
    render(Log, { table: tableWith(round) });
    expect(screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent)).toEqual([
      "Round 1",
      "Round 2",
    ]);
    expect(lines()).toHaveLength(round.length);
  });

  it("applies the filter", async () => {
    render(Log, { table: tableWith(round) });
    await fireEvent.click(screen.getByRole("button", { name: "Rolls" }));
    expect(lines()).toEqual(["You roll 2 and 5 on the Idol and need 3: 1 die is exhausted."]);
    await fireEvent.click(screen.getByRole("button", { name: "Mine" }));
    expect(lines()).toHaveLength(3);
    expect(screen.getByRole("button", { name: "Mine" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("ends before the first event not yet shown", () => {
    expect(linesOf(round, 3).map((line) => line.event.n)).toEqual([0, 1, 2]);
  });

  it("shows few lines of long games, and more on request", async () => {
    const passes = Array.from({ length: 100 }, () => ({ type: "recover", seat: 1, dice: 0 }) as const);
    render(Log, { table: tableWith(numberedEvents(0, reveal(), ...passes)) });
    expect(lines()).toHaveLength(80);
    await fireEvent.click(screen.getByRole("button", { name: "Show 21 earlier lines" }));
    expect(lines()).toHaveLength(101);
  });

  it("says so when there is nothing", () => {
    render(Log, { table: tableWith([]) });
    expect(screen.getByText("Nothing has happened yet. It will.")).toBeTruthy();
  });

  it("is not read out line by line: the stage announces", () => {
    render(Log, { table: tableWith(round) });
    expect(screen.getByRole("log").getAttribute("aria-live")).toBe("off");
  });

  it("knows which lines are about cards, and that the Ghost rolls too", () => {
    const ghost = numberedEvents(0, { type: "ghost", rolled: [1], place: [], last: false })[0] as GameEvent;
    expect(isShown(ghost, "rolls", 0)).toBe(true);
    expect(isShown(ghost, "collections", 0)).toBe(false);
    expect(isShown(ghost, "mine", 0)).toBe(false);
  });

  it("selects the viewer's rolls and the end from many events", () => {
    expect(highlights(round, 0, 3).map((event) => event.type)).toEqual(["roll", "reveal"]);
    expect(highlights(round, null, 3).map((event) => event.type)).toEqual(["reveal"]);
    expect(highlights(round.slice(0, 2), 0, 3)).toHaveLength(2);
  });
});

describe("the stage's announcements", () => {
  beforeEach(() => {
    announcements.polite = [];
    announcements.assertive = [];
  });

  it("announces each step once, politely, and the viewer's turn at once", async () => {
    const table = tableWith(round.slice(0, 3));
    table.stage.show(view({ actor: 1 }));
    render(StageControls, { table });
    await tick();
    announcements.assertive = [];
    table.stage.play(round.slice(1, 2), view({ actor: 0, turn: 1 }));
    flushSync();
    expect(announcements.polite.map((announcement) => announcement.text)).toEqual([
      "You place 2\u00a0×\u00a03 on the Idol.",
    ]);
    vi.advanceTimersByTime(PACES.normal.travel * 2);
    flushSync();
    expect(announcements.polite).toHaveLength(1);
    expect(announcements.assertive).toHaveLength(1);
  });

  it("offers the throw as a button, and says how it went only afterwards", async () => {
    const table = tableWith(round);
    table.stage.show(view());
    render(StageControls, { table });
    table.stage.play(round.slice(3, 4), view({ phase: "idol" }));
    await tick();
    expect(announcements.polite).toHaveLength(0);
    await fireEvent.click(screen.getByRole("button", { name: "Throw your 2 dice", hidden: true }));
    vi.advanceTimersByTime(PACES.normal.tumble);
    flushSync();
    expect(screen.getByText("5 holds", { exact: false })).toBeTruthy();
    expect(screen.getByText("2 exhausted", { exact: false })).toBeTruthy();
    expect(announcements.polite.map((announcement) => announcement.text)).toEqual([
      "You roll 2 and 5 on the Idol and need 3: 1 die is exhausted.",
    ]);
  });

  it("can be skipped", async () => {
    const table = tableWith(round);
    table.stage.show(view());
    render(StageControls, { table });
    table.stage.play(round.slice(3), view({ round: 2 }));
    await tick();
    await fireEvent.click(screen.getByRole("button", { name: "Skip to the end of what happened" }));
    expect(table.stage.isBusy).toBe(false);
    expect(table.stage.view?.round).toBe(2);
  });
});

describe("ways", () => {
  const at = (...places: string[]) => places.map((place) => ({ place }));

  it("lead dice from places that have fewer to places that have more", () => {
    const ways = journeys(at("home", "home", "home"), at("home", "0", "0"));
    expect(ways.map(({ from, to }) => [from.place, to.place])).toEqual([
      ["home", "0"],
      ["home", "0"],
    ]);
  });

  it("are none for dice that stay, or come from nowhere", () => {
    expect(journeys(at("home", "0"), at("0", "home"))).toEqual([]);
    expect(journeys(at("home"), at("home", "home"))).toEqual([]);
  });
});

describe("the Ghost's dice", () => {
  it("join when equal; those that found no place come last", () => {
    const [event] = numberedEvents(0, {
      type: "ghost",
      rolled: [2, 5, 2],
      place: [{ slot: 1, dice: 1, effort: 5 }],
      last: true,
    });
    if (event?.type !== "ghost") throw new Error("That was the Ghost's.");
    expect(ghostGroups(event)).toEqual([
      { slot: 1, dice: 1, effort: 5 },
      { slot: null, dice: 2, effort: 2 },
    ]);
  });
});
