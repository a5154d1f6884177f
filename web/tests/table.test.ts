import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { session } from "../src/state/session.svelte";
import { Staging } from "../src/state/staging.svelte";
import type { LiveTable } from "../src/state/table.svelte";
import Clock from "../src/table/Clock.svelte";
import Crypt from "../src/table/Crypt.svelte";
import Heir from "../src/table/Heir.svelte";
import Heirs from "../src/table/Heirs.svelte";
import Mine from "../src/table/Mine.svelte";
import { nameOf, ownNameOf } from "../src/table/names";
import { phaseOf, turnText } from "../src/table/turn";
import type { SeatInfo, View } from "../src/wire/types";
import { card, seat, tableWith, view } from "./games";

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);

interface Company {
  players?: number;
  seat?: number | null;
  seats?: SeatInfo[];
  present?: boolean[];
}

function tableOf(shown: View, { players = 3, seat = 0, seats, present = [true, true, true] }: Company = {}) {
  const table = tableWith([], { players, seat });
  const info = table.info && { ...table.info, seats: seats ?? table.info.seats };
  Object.assign(table, { view: shown, info, present, clock: null });
  table.stage.show(shown);
  return table;
}

describe("names", () => {
  it("are You, the Ghost, a person's own and a relative's", () => {
    const seats: SeatInfo[] = [
      { kind: "person", name: "Ada" },
      { kind: "bot", name: "greedy", level: "greedy" },
      { kind: "bot", name: "greedy", level: "greedy" },
    ];
    const table = tableOf(view(), { seats });
    expect(nameOf(table, 0)).toBe("You");
    expect(ownNameOf(table, 0)).toBe("Ada");
    expect(nameOf(table, 1)).not.toBe(nameOf(table, 2));
    expect(nameOf(tableOf(view(), { players: 1 }), 1)).toBe("Ghost");
  });
});

describe("whose turn it is", () => {
  const said = (changes: Partial<View>, company: Company = {}): string => {
    const shown = view(changes);
    return turnText(tableOf(shown, company), shown);
  };

  it("is shown to the current player", () => {
    expect(said({})).toBe("Your turn: claim or recover.");
    expect(said({ is_last_turn: true })).toContain("the last one");
    expect(said({ seats: [seat(0, { ready: 0 })] })).toContain("recover");
    expect(said({ phase: "idol" })).toContain("Idol");
  });

  it("is shown to the others", () => {
    expect(said({ actor: 1 })).toBe("Bo may claim or recover.");
    expect(said({ actor: 2, phase: "pottery" })).toContain("Cy may trade two Pottery");
    expect(said({ actor: null, phase: "ghost", is_solo: true }, { players: 1 })).toBe(
      "The Ghost is at work.",
    );
    expect(said({ actor: null, phase: "over" })).toBe("The game is over.");
  });

  it("belongs to one of four phases, until the end", () => {
    expect(["top", "pottery", "ghost", "reroll", "torch", "over"].map(phaseOf)).toEqual([
      "reveal",
      "reveal",
      "claim",
      "collect",
      "pass",
      null,
    ]);
  });
});

describe("the crypt", () => {
  function showCrypt(table: LiveTable): Staging {
    const staging = new Staging(table);
    render(Crypt, { table, staging });
    return staging;
  }

  it("has a button for every card, which chooses it", async () => {
    const staging = showCrypt(tableOf(view()));
    const idol = screen.getByRole("button", { name: /^Card 1: Idol worth 4 coins/ });
    expect(idol.getAttribute("aria-pressed")).toBe("false");
    await fireEvent.click(idol);
    expect(staging.selected).toBe(0);
    expect(idol.getAttribute("aria-pressed")).toBe("true");
  });

  it("shows dice on cards with their total", () => {
    const shown = view();
    const [first, ...rest] = shown.row;
    if (!first) throw new Error("An empty row.");
    showCrypt(tableOf({ ...shown, row: [{ ...first, holder: 1, dice: 2, effort: 3, failed: 1 }, ...rest] }));
    const niche = screen.getByRole("button", { name: /Bo holds it with 2 dice at effort 3: 6/ });
    expect(niche.querySelectorAll("[data-die='1']")).toHaveLength(2);
    expect(niche.querySelectorAll(".is-failed")).toHaveLength(1);
    expect(within(niche).getByText("6")).toBeTruthy();
  });

  it("is read-only for spectators", () => {
    render(Crypt, { table: tableOf(view({ seat: null }), { seat: null }), staging: null });
    expect(screen.queryByRole("button", { name: /^Card 1/ })).toBeNull();
    expect(screen.getByText("Card 1: Idol worth 4 coins. Nobody holds it.")).toBeTruthy();
  });

  it("shows the deck and its top card", () => {
    showCrypt(tableOf(view()));
    expect(screen.getByText("32 cards in the deck")).toBeTruthy();
    expect(screen.getByText("Next: Remains")).toBeTruthy();
    cleanup();
    showCrypt(tableOf(view({ deck: 0, top: null })));
    expect(screen.getByText("The deck is empty: last round")).toBeTruthy();
  });
});

describe("an heir", () => {
  it("shows dice, coins as far as known, and torches", () => {
    const shown = view({
      seats: [seat(0), seat(1), seat(2, { ready: 1, exhausted: 2, cards: [card(1, "J?")] })],
    });
    render(Heir, { table: tableOf(shown), seat: 2 });
    expect(screen.getByRole("heading", { name: "Cy" })).toBeTruthy();
    expect(screen.getByRole("img", { name: "1 die ready. 2 exhausted." })).toBeTruthy();
    expect(screen.getByText("3 coins so far, and what is hidden.")).toBeTruthy();
    expect(screen.getByText("Lights Out")).toBeTruthy();
  });

  it("is marked when a bot plays, or nobody is there", () => {
    const seats: SeatInfo[] = [
      { kind: "person", name: "Ada" },
      { kind: "person", name: "Bo", taken_over: "left" },
      { kind: "person", name: "Cy" },
    ];
    const table = tableOf(view(), { seats, present: [true, true, false] });
    render(Heir, { table, seat: 1 });
    render(Heir, { table, seat: 2 });
    expect(screen.getByText("Away: a bot plays")).toBeTruthy();
    expect(screen.getByText("Disconnected")).toBeTruthy();
  });

  it("comes in the order of play after the viewer", () => {
    render(Heirs, { table: tableOf(view({ seat: 1 }), { seat: 1 }) });
    const names = screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent?.trim());
    expect(names).toEqual(["Cy", "Ada"]);
  });
});

describe("the viewer's own dice and cards", () => {
  it("show the coins that only the viewer knows", () => {
    const cards = [card(0, "J4", { is_public: false }), card(1, "I2")];
    const shown = view({ seats: [seat(0, { cards }), seat(1), seat(2)], scores: [9, 3, 3] });
    const table = tableOf(shown);
    render(Mine, { table, seat: 0, staging: new Staging(table) });
    expect(screen.getByText("9 coins so far.")).toBeTruthy();
    expect(screen.getByText("4 of it only you know")).toBeTruthy();
  });
});

describe("a clock", () => {
  const shown = (deadline: number | null, isDeciding = true): string => {
    const { container } = render(Clock, {
      clock: { deadline: deadline === null ? null : session.now() + deadline, banks: [60_000] },
      seat: 0,
      isDeciding,
    });
    return container.textContent?.trim() ?? "";
  };

  it("counts the time of the move, then the bank", () => {
    expect(shown(75_000)).toBe("0:15 + 1:00");
    cleanup();
    expect(shown(31_000)).toBe("0:31 of the bank");
    cleanup();
    expect(shown(31_000, false)).toBe("1:00");
  });

  it("names the day when there are days", () => {
    expect(shown(2 * 86_400_000)).toMatch(/^until /);
  });
});
