/** The final scene plays step by step, can be skipped, and plays once. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { announcements } from "../src/kit/announce.svelte";
import { settings } from "../src/state/settings.svelte";
import { LiveTable } from "../src/state/table.svelte";
import EndOfGame from "../src/table/EndOfGame.svelte";
import { lastView, loaded } from "./records";

let number = 0;

function endedTable(name: string, seat: number | null = 0, invite: string | null = null): LiveTable {
  const record = loaded(name);
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(new Response(JSON.stringify(record)))),
  );
  const table = new LiveTable(`table${++number}`, invite);
  table.you = { seats: seat === null ? [] : [seat], seat, is_owner: false, invite: null, away_since: null };
  table.info = {
    table: table.id,
    status: "over",
    settings: { players: record.game.players },
    seats: record.game.seats.map(({ name: heir }) => ({ kind: "person", name: heir })),
    owner: "",
    opened: 0,
    commitment: record.fairness?.commitment ?? "",
  };
  table.received = lastView(record);
  table.events = record.events;
  return table;
}

const settle = async () => {
  await vi.advanceTimersByTimeAsync(1);
  await tick();
};

beforeAll(() => words.setLanguage("en"));
beforeEach(() => {
  vi.useFakeTimers();
  settings.change({ speed: "normal" });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function tiedSeat(): number {
  const tie = loaded("tie").events.find((event) => event.type === "tiebreak");
  return tie?.type === "tiebreak" ? Number(Object.keys(tie.rolled)[0]) : -1;
}

describe("the end", () => {
  it("plays every step, then shows the winner", async () => {
    const heard = vi.spyOn(announcements, "add");
    render(EndOfGame, { table: endedTable("2-players") });
    await settle();
    expect(screen.getByRole("heading", { name: "The reckoning" })).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Player 2 wins with 37 coins.");
    expect(screen.getByText("You come in place 2 of 2, with 28 coins.")).toBeTruthy();
    expect(heard).toHaveBeenCalledWith(expect.stringContaining("Player 2 wins with 37 coins."), "assertive");
    expect(heard).toHaveBeenCalledWith("Idol: everyone turns theirs over.", "polite");
  });

  it("can be skipped, and goes on at the result", async () => {
    render(EndOfGame, { table: endedTable("3-players") });
    await settle();
    await fireEvent.click(screen.getByRole("button", { name: "Skip to the result" }));
    await settle();
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("You win with 36 coins!");
    expect(document.activeElement?.contains(screen.getByRole("heading", { level: 2 }))).toBe(true);
  });

  it("is there at once for those who want no motion", async () => {
    settings.change({ speed: "instant" });
    render(EndOfGame, { table: endedTable("4-players") });
    await settle();
    expect(screen.getByRole("table", { name: "Score sheet" })).toBeTruthy();
  });

  it("plays once, and again on request", async () => {
    const table = endedTable("2-players");
    const first = render(EndOfGame, { table });
    await settle();
    await fireEvent.click(screen.getByRole("button", { name: "Skip to the result" }));
    first.unmount();
    render(EndOfGame, { table });
    await settle();
    expect(screen.getByRole("table", { name: "Score sheet" })).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Watch the reckoning again" }));
    expect(screen.getByRole("heading", { name: "The reckoning" })).toBeTruthy();
  });

  it("names the dice that broke a tie", async () => {
    const heard = vi.spyOn(announcements, "add");
    const table = endedTable("tie", tiedSeat());
    render(EndOfGame, { table });
    await settle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.getByText(/The dice broke the tie/)).toBeTruthy();
    const called = heard.mock.calls
      .map(([text]) => text)
      .find((text) => text.startsWith("A tie at the top!"));
    expect(called).toMatch(/You roll \d/);
  });

  it("gives a title to whoever played alone", async () => {
    settings.change({ speed: "instant" });
    render(EndOfGame, { table: endedTable("1-players") });
    await settle();
    expect(screen.getByText("Your title: The Fool")).toBeTruthy();
  });

  it("shows spectators what each Collector paid", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("2-players", null);
    render(EndOfGame, { table });
    await settle();
    expect(fetch).toHaveBeenCalledWith(`/api/tables/${table.id}/record`, expect.anything());
    expect(screen.queryByRole("row", { name: /^Collectors/ })).toBeNull();
  });

  it("needs their link for guests of a private table, who can still save the record", async () => {
    settings.change({ speed: "instant" });
    render(EndOfGame, { table: endedTable("2-players", null, "kPIkXbRW4QdWS1iL") });
    await settle();
    const headers = { "X-Table-Invite": "kPIkXbRW4QdWS1iL" };
    expect(fetch).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ headers }));
    const href = screen.getByRole("link", { name: "Download the record" }).getAttribute("href") ?? "";
    const saved: unknown = JSON.parse(decodeURIComponent(href.replace("data:application/json,", "")));
    expect(saved).toEqual(loaded("2-players"));
  });

  it("shows all but what each Collector paid while there is no record", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("2-players", null);
    vi.mocked(fetch).mockRejectedValueOnce(new TypeError("gone"));
    render(EndOfGame, { table });
    await settle();
    expect(screen.getByRole("row", { name: /^Collectors/ })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Check fairness" })).toBeNull();
  });

  it("proposes the next mix with the same company", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("3-players");
    table.info = table.info && {
      ...table.info,
      seats: table.info.seats.map((seat, index) => (index === 2 ? { kind: "bot", level: "greedy" } : seat)),
    };
    render(EndOfGame, { table });
    await settle();
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toContainEqual(expect.stringMatching(/^#\/new\/[AB]{6}~3~~greedy$/));
  });

  it("speaks to one of those who share the win, and of one's own treasures", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("2-players");
    const record = loaded("2-players");
    const shared = record.events.map((event) =>
      event.type === "end" ? { ...event, winners: [0, 1] } : event,
    );
    vi.mocked(fetch).mockResolvedValueOnce(new Response(JSON.stringify({ ...record, events: shared })));
    render(EndOfGame, { table });
    await settle();
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(
      "You share the win with Player 2, 28 coins each!",
    );
    expect(screen.getByRole("list", { name: "Your treasures" })).toBeTruthy();
    expect(screen.getByRole("list", { name: "Treasures of Player 2" })).toBeTruthy();
  });

  it("works without the record, and retries the request", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("2-players");
    const answers = vi.mocked(fetch).mockRejectedValueOnce(new TypeError("gone"));
    render(EndOfGame, { table });
    await settle();
    expect(screen.getByRole("alert").textContent).toContain("could not be fetched");
    await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await settle();
    expect(answers).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the fairness check on the page", () => {
  it.each([0, null])("says that a fair game is fair, and what was looked at, to seat %s", async (seat) => {
    settings.change({ speed: "instant" });
    render(EndOfGame, { table: endedTable("2-players", seat) });
    await settle();
    vi.useRealTimers();
    await fireEvent.click(screen.getByRole("button", { name: "Check fairness" }));
    expect(await screen.findByText(/^Fair\./, undefined, { timeout: 20_000 })).toBeTruthy();
    expect(screen.getByText("All 24 cards recomputed.")).toBeTruthy();
  });

  it("says where a game is not", async () => {
    settings.change({ speed: "instant" });
    const table = endedTable("2-players");
    const numberedEvents = loaded("2-players");
    const roll = numberedEvents.events.find((event) => event.type === "roll" && event.rolled.length > 0);
    if (roll?.type !== "roll") throw new Error("no roll");
    roll.rolled[0] = ((roll.rolled[0] ?? 0) % 6) + 1;
    table.events = [];
    vi.mocked(fetch).mockResolvedValueOnce(new Response(JSON.stringify(numberedEvents)));
    render(EndOfGame, { table });
    await settle();
    vi.useRealTimers();
    await fireEvent.click(screen.getByRole("button", { name: "Check fairness" }));
    expect(await screen.findByText("This does not add up.")).toBeTruthy();
    expect(
      screen.getByText(/Round \d+, Player \d, die 1: the record says \d, chance says \d\./),
    ).toBeTruthy();
  });
});
