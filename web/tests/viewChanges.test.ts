import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { View } from "../src/wire/types";
import { applyChanges, type ViewChanges } from "../src/wire/viewChanges";
import golden from "./golden/view-changes.json";
import { card, seat, slot, view } from "./games";

interface Series {
  name: string;
  before: View;
  /** The changes, and the digest of the view after them. */
  steps: [changes: ViewChanges, digest: string][];
  after: View;
}

function digest(shown: View): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

describe("changes of a view", () => {
  it("merge objects and replace other values, also by null", () => {
    const before = view({ top: "R", form: null });
    const changes = { actor: null, top: null, unseen: { I: [1, 2, 3, 4] }, scores: [4, 3, 3] };
    expect(applyChanges(before, changes)).toEqual({ ...before, ...changes });
  });

  it("replace an object by null and null by an object", () => {
    const before = view({ row: [slot(0, "I4"), { ...slot(1, "T3"), card: null }] });
    const { row } = applyChanges(before, { row: { 0: { card: null }, 1: { card: card(7, "J2") } } });
    expect(row.map((one) => one.card)).toEqual([null, card(7, "J2")]);
  });

  it("name items of a list by index; the index at the end appends", () => {
    const before = view({ seats: [seat(0), seat(1, { cards: [card(0, "J?")] }), seat(2)] });
    const changes = {
      seats: { 1: { ready: 1, cards: { 0: { value: 4 }, 1: card(1, "I2"), 2: card(2, "T1") } } },
    };
    const cards = [{ ...card(0, "J?"), value: 4 }, card(1, "I2"), card(2, "T1")];
    expect(applyChanges(before, changes).seats).toEqual([seat(0), seat(1, { ready: 1, cards }), seat(2)]);
    expect(() => applyChanges(before, { seats: { 4: seat(4) } })).toThrow(RangeError);
  });

  it("replace a list by a list", () => {
    const before = view({ actions: [1, 2, 3], discards: [card(1, "I2")] });
    const after = applyChanges(before, { actions: [4], discards: [] });
    expect([after.actions, after.discards]).toEqual([[4], []]);
  });

  it("leave the view before as it was, and share what stays", () => {
    const before = frozen(view());
    const after = applyChanges(before, frozen({ row: { 1: { holder: 2 } }, turn: 1 }));
    expect([after.row[1]?.holder, before.row[1]?.holder]).toEqual([2, null]);
    expect([after.row[0] === before.row[0], after.seats === before.seats]).toEqual([true, true]);
  });

  it.each(golden as unknown as Series[])(
    "lead to each view of a game of $name",
    ({ before, steps, after }) => {
      let shown = frozen(before);
      for (const [changes, expected] of steps) {
        shown = frozen(applyChanges(shown, frozen(changes)));
        expect(digest(shown)).toBe(expected);
      }
      expect(shown).toEqual(after);
    },
  );
});
