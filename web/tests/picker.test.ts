import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { settings } from "../src/state/settings.svelte";
import { Staging } from "../src/state/staging.svelte";
import { Refusal } from "../src/wire/rest";
import type { View } from "../src/wire/types";
import { FakeTable } from "./fake-table.svelte";
import Played from "./Played.svelte";
import {
  card,
  claimView,
  DECLINE,
  MEND,
  PEEK,
  placementsFor,
  RECOVER,
  REROLL,
  seat,
  slot,
  TAKE,
} from "./positions";

let table: FakeTable;

function play(view: View = claimView()): void {
  table = new FakeTable(view);
  render(Played, { table: table.live, staging: new Staging(table) });
}
function button(name: string | RegExp): HTMLElement {
  return screen.getByRole("button", { name });
}
async function press(name: string | RegExp): Promise<void> {
  await fireEvent.click(button(name));
}
async function key(
  pressed: string,
  more: KeyboardEventInit = {},
  target: Element = document.body,
): Promise<void> {
  await fireEvent.keyDown(target, { key: pressed, ...more });
}
const risk = () =>
  within(screen.getByRole("list", { name: "Risk" }))
    .getAllByRole("listitem")
    .map(textOf);
const textOf = (element: Element) => element.textContent?.trim() ?? "";
const focused = () => textOf(document.activeElement ?? document.body);
const message = () => textOf(screen.getByRole("status"));

beforeAll(() => words.setLanguage("en"));
beforeEach(() => settings.change({ usesKeys: true, confirms: true }));
afterEach(cleanup);

describe("the picker", () => {
  it("asks for a card first", () => {
    play();
    expect(screen.getByText("Your turn. Choose a card to claim it, or recover.")).toBeTruthy();
    expect(button("Claim").hasAttribute("disabled")).toBe(true);
    expect(button("Pass")).toBeTruthy();
  });

  it("marks and chooses the least effort that pushes out, and dims what is impossible", async () => {
    play();
    await press("Card 0");
    expect(button(/^Effort 6, the least that pushes out/).getAttribute("aria-pressed")).toBe("true");
    expect(button("1 die").getAttribute("aria-pressed")).toBe("true");
    expect(button("Effort 5, not possible").getAttribute("aria-disabled")).toBe("true");
    expect(button("Effort 5, not possible").hasAttribute("disabled")).toBe(false);
    await press("2 dice");
    expect(button(/^Effort 3, the least that pushes out/).getAttribute("aria-pressed")).toBe("true");
    expect(button("Effort 2, not possible")).toBeTruthy();
  });

  it("says why a dimmed choice is none", async () => {
    play();
    await press("Card 0");
    await press("Effort 3, not possible");
    expect(message()).toBe("1 × 3 makes 3; it takes 6 or more. 2 dice would do.");
    await press("Card 2");
    expect(message()).toBe("You hold this card already.");
    await press("3 dice, not possible");
    expect(message()).toBe("You hold this card already.");
    await press("Card 3");
    expect(message()).toBe("Held with 18; your 3 ready dice reach 18 at most.");
  });

  it("says how many dice are ready", async () => {
    play(claimView({}, { ready: 2 }));
    await press("Card 1");
    await press("3 dice, not possible");
    expect(message()).toBe("Only 2 dice are ready.");
  });

  it("tells the risk in words", async () => {
    play();
    await press("Card 0");
    await press("2 dice");
    const kept = "You keep 1.3 of 2 dice; all of them 44% of the time.";
    expect(risk()).toEqual([
      "Pushes out Bo's 5: 1 die goes home.",
      "Bo can still push you out: 2 × 4 or 3 × 3 will do.",
      "Each die is exhausted 33% of the time.",
      kept,
    ]);
    expect(screen.getByText("Worth 4 Coins.")).toBeTruthy();
    await press("Card 3");
    expect(risk()).toEqual([
      "Held by Cy with 18: it takes 19 or more.",
      kept,
      "Face-down: worth 2.3 Coins on average.",
    ]);
  });

  it("says together what several can do alike, and when nobody can", async () => {
    play(
      claimView(
        {},
        {
          rivals: [
            [1, 3],
            [2, 3],
          ],
        },
      ),
    );
    await press("Card 1");
    expect(risk()).toEqual([
      "Bo and Cy can still push you out: 1 × 2 or 2 × 1 will do.",
      "You keep your die for certain.",
    ]);
    cleanup();
    play(claimView({}, { rivals: [] }));
    await press("Card 1");
    expect(risk()[0]).toBe("Nobody comes after you.");
  });

  it("claims several cards at once, in one move however often it is pressed", async () => {
    play();
    await press("Card 0");
    await press("And another card");
    await press("Card 1");
    let answer: () => void = () => undefined;
    table.answer = () => new Promise((resolve) => (answer = resolve));
    const claim = button("Claim 2 cards");
    await Promise.all([fireEvent.click(claim), fireEvent.click(claim), fireEvent.dblClick(claim)]);
    expect(button("On its way …").hasAttribute("disabled")).toBe(true);
    answer();
    expect(table.sent).toEqual([
      [
        {
          do: "claim",
          place: [
            { slot: 0, dice: 1, effort: 6 },
            { slot: 1, dice: 1, effort: 1 },
          ],
        },
      ],
    ]);
  });

  it("takes staged dice back, one card or all", async () => {
    play();
    await press("Card 0");
    await press("And another card");
    await press("Card 1");
    await press("Take back 1 × 6 on the Idol");
    expect(button("Claim the Tapestry")).toBeTruthy();
    await key("Escape");
    expect(button("Claim").hasAttribute("disabled")).toBe(true);
  });

  it("shows why a claim was refused, and keeps it", async () => {
    play();
    await press("Card 1");
    const details = { ply: 4, now: 5 };
    table.answer = () => Promise.reject(new Refusal({ code: "stale", details, text: "" }));
    await press("Claim the Tapestry");
    await Promise.resolve();
    expect(message()).toContain("The table has moved on since");
    expect(button("Claim the Tapestry")).toBeTruthy();
  });

  it.each([
    [2, "It is not your turn: Bo decides."],
    [1, "It is not seat 2's turn but seat 1's."],
  ])("names whose turn it is when a claim comes out of turn: seat %i", async (actor, expected) => {
    play();
    await press("Card 1");
    const details = { seat: 3 - actor, actor };
    table.answer = () => Promise.reject(new Refusal({ code: "not_your_turn", details, text: "" }));
    await press("Claim the Tapestry");
    await Promise.resolve();
    expect(message()).toContain(expected);
  });

  it("recovers, and asks before a turn only passes", async () => {
    play();
    await press("Pass");
    expect(message()).toContain("None of your dice is exhausted");
    await press("Let it pass");
    expect(table.sent).toEqual([[{ do: "recover" }]]);
    cleanup();
    play(claimView({ seats: [seat(0, { exhausted: 2 }), seat(1), seat(2)] }));
    await press("Recover 2 dice");
    expect(table.sent).toEqual([[{ do: "recover" }]]);
  });

  it("says whose turn it is", () => {
    play(claimView({ actor: 1, turn: 1, form: null, actions: [] }));
    expect(screen.getByText("Bo decides.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Claim/ })).toBeNull();
  });
});

describe("keys", () => {
  it("claim a card", async () => {
    play();
    await key("ArrowRight");
    expect(focused()).toBe("Card 0");
    await key("@", { code: "Digit2", shiftKey: true });
    await key("4", { code: "Digit4" });
    await key("d");
    await key("Enter", {}, button("Card 0"));
    expect(table.sent).toEqual([[{ do: "claim", place: [{ slot: 0, dice: 3, effort: 4 }] }]]);
  });

  it.each([
    ["Greek", "δ", "ρ"],
    ["Cyrillic", "в", "к"],
    ["Hebrew", "ג", "ר"],
    ["Greek capital", "Δ", "Ρ"],
  ])("are found by their place on a keyboard with %s letters", async (_, d, r) => {
    play(claimView({ seats: [seat(0, { exhausted: 1 }), seat(1), seat(2)] }));
    await press("Card 1");
    const before = screen.getByRole("button", { name: "1 die" }).getAttribute("aria-pressed");
    await key(d, { code: "KeyD" });
    expect([before, button("2 dice").getAttribute("aria-pressed")]).toEqual(["true", "true"]);
    await key("Escape");
    await key(r, { code: "KeyR" });
    expect(table.sent).toEqual([[{ do: "recover" }]]);
  });

  it("are what they say where Latin letters have other places, and nothing while an accent is typed", async () => {
    play(claimView({ seats: [seat(0, { exhausted: 1 }), seat(1), seat(2)] }));
    await key("p", { code: "KeyR" });
    await key("Dead", { code: "KeyR" });
    const accented = new KeyboardEvent("keydown", { key: "ŕ", code: "KeyR", bubbles: true });
    accented.getModifierState = (modifier) => modifier === "AltGraph";
    await fireEvent(document.body, accented);
    await key("ρ", { code: "KeyR", ctrlKey: true });
    await key("ρ", { code: "KeyR", altKey: true });
    await key("ρ", { code: "KeyR", metaKey: true });
    await key("ρ", { code: "KeyR" }, screen.getByLabelText("Chat"));
    expect(table.sent).toEqual([]);
    await key("r", { code: "KeyO" });
    expect(table.sent).toEqual([[{ do: "recover" }]]);
  });

  it("go around the row", async () => {
    play();
    await key("ArrowLeft");
    expect(focused()).toBe("Card 3");
    await key("ArrowRight");
    expect(focused()).toBe("Card 0");
  });

  it("leave text fields, other buttons and the browser's own keys alone", async () => {
    play();
    await press("Card 1");
    await key("Enter", {}, button("2 dice"));
    await key("r", {}, screen.getByLabelText("Chat"));
    await key("r", { ctrlKey: true });
    expect(table.sent).toEqual([]);
    expect(screen.queryByText(/None of your dice/)).toBeNull();
  });

  it("can be switched off", async () => {
    settings.change({ usesKeys: false });
    play();
    await key("ArrowRight");
    expect(screen.queryByRole("group", { name: "Dice" })).toBeNull();
  });

  it("recover", async () => {
    play(claimView({ seats: [seat(0, { exhausted: 1 }), seat(1), seat(2)] }));
    await key("r");
    expect(table.sent).toEqual([[{ do: "recover" }]]);
  });
});

describe("Rewards", () => {
  const remains = [1, 2, 4].map((value, number) => card(`R${value}`, { number, is_public: value !== 2 }));

  it("out of turn ask what pays only where there is a choice", async () => {
    const base = { actor: 1, turn: 1, form: null };
    play(claimView({ ...base, actions: [MEND], seats: [seat(0, { cards: remains }), seat(1), seat(2)] }));
    await press("Bring a die home");
    const pays = screen.getByRole("group", { name: "Choose 2 cards to flip" });
    const pressed = within(pays)
      .getAllByRole("button", { pressed: true })
      .map((one) => one.getAttribute("aria-label"));
    expect(pressed).toEqual(["Remains 1", "Remains 4"]);
    await press("Remains 2, which only you know");
    await press("Bring it home");
    expect(table.sent).toEqual([[{ do: "mend", flip: [2, 4] }]]);
  });

  it("are paid without a word where there is no choice", async () => {
    const cards = [card("M3", { number: 7 }), card("M1", { number: 8, is_flipped: true })];
    const view = claimView({ seats: [seat(0, { cards }), seat(1), seat(2)] });
    play({ ...view, actions: [...view.actions, PEEK] });
    await press("Look at the face-down cards");
    expect(screen.getByText("You flip Manuscript 3.")).toBeTruthy();
    await press("Look");
    expect(table.sent).toEqual([[{ do: "peek" }]]);
  });

  it("can wait", async () => {
    const cards = [card("M3", { number: 7 })];
    const view = claimView({ seats: [seat(0, { cards }), seat(1), seat(2)] });
    play({ ...view, actions: [...view.actions, PEEK] });
    await press("Look at the face-down cards");
    await press("Not now");
    expect(screen.queryByRole("button", { name: "Look" })).toBeNull();
    expect(table.sent).toEqual([]);
  });

  it("offer a face-down card before the claims", async () => {
    const cards = [2, 2].map((value, number) => card(`P${value}`, { number }));
    const down = [2, 3].map((index) => slot(index, card("J?"), { is_down: true }));
    const row = [slot(0, card("I4")), slot(1, card("T3")), ...down];
    const seats = [seat(0, { cards }), seat(1), seat(2)];
    play(claimView({ phase: "pottery", form: null, row, seats, actions: [DECLINE, TAKE + 2, TAKE + 3] }));
    expect(screen.getByRole("heading", { name: "Take a face-down card?" })).toBeTruthy();
    await press("Jewelry, card 4");
    await press("Take it");
    expect(table.sent).toEqual([[{ do: "take", slot: 3 }]]);
  });

  it("offer another roll once the first was seen, and take no for an answer", async () => {
    const cards = [card("I2", { number: 2 }), card("T3", { number: 9 })];
    const row = [
      slot(0, null),
      slot(1, null, { holder: 0, dice: 1, effort: 5, failed: 1 }),
      slot(2, null),
      slot(3, null),
    ];
    const seats = [seat(0, { cards }), seat(1), seat(2)];
    play(claimView({ phase: "idol", form: null, row, seats, actions: [DECLINE, REROLL + 1] }));
    expect(screen.getByText("The die on the Tapestry: it needs 5 or more")).toBeTruthy();
    table.stage.isBusy = true;
    await Promise.resolve();
    expect(screen.queryByRole("heading", { name: "Roll a failed die again?" })).toBeNull();
    table.stage.isBusy = false;
    await Promise.resolve();
    await press("No, thank you");
    expect(table.sent).toEqual([[{ do: "decline" }]]);
  });

  it("offer the last chance before the count", async () => {
    const seats = [seat(0, { cards: remains.slice(0, 2), exhausted: 1 }), seat(1), seat(2)];
    play(claimView({ phase: "remains", form: null, seats, actions: [MEND, DECLINE] }));
    expect(screen.getByRole("heading", { name: "Bring a die home before the count?" })).toBeTruthy();
    await press("Bring it home");
    expect(table.sent).toEqual([[{ do: "mend" }]]);
  });

  it("leave a staged claim alone", async () => {
    const view = claimView(
      { seats: [seat(0, { cards: remains, exhausted: 1 }), seat(1), seat(2)] },
      { ready: 2 },
    );
    play({ ...view, actions: [...view.actions, MEND] });
    await press("Card 0");
    await press("2 dice");
    await press("Bring a die home");
    table.answer = () => {
      const next = claimView({ decisions: 23 });
      table.show({ ...next, actions: next.form ? [...placementsFor(next.form), RECOVER] : [] });
      return Promise.resolve();
    };
    await press("Bring it home");
    await press("Claim the Idol");
    expect(table.sent.at(-1)).toEqual([{ do: "claim", place: [{ slot: 0, dice: 2, effort: 3 }] }]);
  });
});
