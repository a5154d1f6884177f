import { describe, expect, it } from "vitest";
import { patched } from "../src/state/patches";
import { stepsOf, type Step } from "../src/state/steps";
import type { GameEvent } from "../src/state/table.svelte";
import type { View } from "../src/wire/types";
import { card, reveal, seat, slot, numberedEvents, view } from "./games";

function play(
  before: View,
  final: View,
  ...events: Parameters<typeof numberedEvents> extends [number, ...infer E] ? E : never
) {
  const steps = stepsOf(numberedEvents(0, ...events) as GameEvent[], {
    seat: 0,
    speed: "normal",
    throwsByHand: true,
  });
  return steps.reduce((shown, step) => patched(shown, step, final), before);
}

describe("the table between two views", () => {
  it("has dice where they were claimed, and those pushed out at home", () => {
    const held = view({
      row: [slot(0, "I4", { holder: 1, dice: 1, effort: 5 }), slot(1, "T3")],
      seats: [seat(0), seat(1, { ready: 2 })],
    });
    const place = [{ slot: 0, dice: 2, effort: 3 }];
    const after = play(held, held, { type: "claim", seat: 0, place, last: false });
    expect(after.row[0]).toMatchObject({ holder: 0, dice: 2, effort: 3 });
    expect(after.seats.map((one) => one.ready)).toEqual([1, 3]);
    expect(after.form).toBeNull();
  });

  it("marks dice that fell short, and sends all home with their card", () => {
    const held = view({
      row: [slot(0, "J?", { holder: 0, dice: 2, effort: 4 }), slot(1, "T3")],
      seats: [seat(0, { ready: 1 }), seat(1)],
    });
    const learnt = card(0, "J3", { is_public: false });
    const final = view({ seats: [seat(0, { cards: [learnt] }), seat(1)] });
    const rolled = play(held, final, { type: "roll", seat: 0, slot: 0, effort: 4, rolled: [3, 4] });
    expect(rolled.row[0]?.failed).toBe(1);
    const after = play(rolled, final, { type: "collect", seat: 0, cards: ["J3"] });
    expect(after.seats[0]).toMatchObject({
      ready: 2,
      exhausted: 1,
      cards: [learnt],
      held: [0, 1, 0, 0, 0, 0],
    });
    expect(after.row[0]).toMatchObject({ card: null, holder: null });
  });

  it("brings a failed die back when it is rolled again well", () => {
    const idol = card(9, "I2");
    const held = view({
      row: [slot(0, "T3", { card: null, holder: 0, dice: 2, effort: 4, failed: 2 })],
      seats: [seat(0, { cards: [idol] })],
    });
    const again = { type: "reroll", seat: 0, slot: 0, effort: 4, flip: ["I2"] } as const;
    const good = play(held, held, { ...again, flip: ["I2"], rolled: 4 });
    expect(good.row[0]?.failed).toBe(1);
    expect(good.seats[0]?.cards[0]?.is_flipped).toBe(true);
    expect(play(held, held, { ...again, flip: ["I2"], rolled: 3 }).row[0]?.failed).toBe(2);
  });

  it("makes exhausted dice ready", () => {
    const tired = view({ seats: [seat(0, { ready: 0, exhausted: 3 })] });
    expect(play(tired, tired, { type: "recover", seat: 0, dice: 3 }).seats[0]).toMatchObject({
      ready: 3,
      exhausted: 0,
    });
    expect(play(tired, tired, { type: "rally", seat: 0, dice: 3 }).seats[0]).toMatchObject({
      ready: 3,
      exhausted: 0,
    });
    expect(play(tired, tired, { type: "mend", seat: 0, flip: [] }).seats[0]).toMatchObject({
      ready: 1,
      exhausted: 2,
    });
  });

  it("turns cards over: known ones first, else one that nobody knew", () => {
    const cards = [card(1, "M?"), card(2, "M3", { is_public: false }), card(3, "M3")];
    const held = view({ seats: [seat(0), seat(1, { cards })] });
    const once = play(held, held, { type: "peek", seat: 1, flip: ["M3"] });
    expect(once.seats[1]?.cards.map((one) => one.is_flipped)).toEqual([false, false, true]);
    expect(once.seats[1]).toMatchObject({ has_peeked: true, unflipped: [0, 0, 2, 0, 0, 0] });
    const twice = play(once, held, { type: "peek", seat: 1, flip: ["M1"] });
    expect(twice.seats[1]?.cards[0]).toMatchObject({ is_flipped: true, value: 1 });
  });

  it("shows what the viewer saw, and moves what was taken", () => {
    const before = view();
    const seen = card(3, "J4", { is_public: false });
    const known = view({ row: [...before.row.slice(0, 3), slot(3, "J?", { card: seen })] });
    expect(play(before, known, { type: "peek", seat: 0, flip: [] }).row[3]?.card).toBe(seen);
    const taken = play(before, before, { type: "take", seat: 2, slot: 3, flip: [] });
    expect(taken.row[3]?.card).toBeNull();
    expect(taken.seats[2]?.cards.map((one) => one.number)).toEqual([3]);
  });

  it("lays out a new row with nobody on it", () => {
    const final = view({
      round: 2,
      lights_out: 0,
      deck: 28,
      row: [slot(0, "R4", { holder: 1, dice: 3, effort: 2 })],
    });
    const after = play(view(), final, reveal({ round: 2, leader: 1, top: "M" }));
    expect(after).toMatchObject({ round: 2, leader: 1, lights_out: 0, deck: 28, top: "M" });
    expect(after.row).toMatchObject([{ card: { type: "R" }, holder: null, dice: 0 }]);
  });

  it("sends the dice home and the torches on before the next row is seen", () => {
    const row = [slot(0, "R4", { holder: 1, dice: 2, effort: 5, failed: 1 }), slot(1, "I1")];
    const before = view({ row, seats: [seat(0), seat(1, { ready: 1, exhausted: 0 })] });
    const final = view({ round: 2, lights_out: 0, row: [slot(0, "J2")] });
    const [event] = numberedEvents(9, reveal({ round: 2, leader: 1 }));
    const [pass, next] = stepsOf([event as GameEvent], { seat: 0, speed: "normal", throwsByHand: false });
    const passed = patched(before, pass as Step, final);
    expect(passed).toMatchObject({ phase: "torch", leader: 1, lights_out: 0, round: before.round });
    expect(passed.seats[1]).toMatchObject({ ready: 2, exhausted: 1 });
    expect(passed.row.map(({ card, dice }) => [card?.type, dice])).toEqual([
      ["R", 0],
      ["I", 0],
    ]);
    expect(pass?.logged).toEqual([]);
    expect(next).toMatchObject({ kind: "reveal", logged: [event] });
  });

  it("applies the race for Idols and leaves the rest to the server", () => {
    const cards = [card(1, "I1"), card(2, "I2")];
    const held = view({ seats: [seat(0, { cards })] });
    const after = play(held, held, { type: "idols", flips: { 0: ["I1", "I2"] } });
    expect(after.seats[0]).toMatchObject({ won_idols: true, unflipped: [0, 0, 0, 0, 0, 0] });
    const over = play(
      held,
      held,
      { type: "tiebreak", rolled: { 0: [1] } },
      { type: "end", scores: [9], winners: [0] },
    );
    expect(over.seats).toEqual(held.seats);
  });
});
