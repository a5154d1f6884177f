import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../src/state/settings.svelte";
import { Staging } from "../src/state/staging.svelte";
import { Refusal } from "../src/wire/rest";
import { ConnectionLost } from "../src/wire/socket";
import type { View } from "../src/wire/types";
import { FakeTable } from "./fake-table.svelte";
import { claimView, MEND, placementsFor, RECOVER, seat } from "./positions";

let table: FakeTable;
let staging: Staging;

function begin(view: View = claimView()): void {
  table = new FakeTable(view);
  staging = new Staging(table);
}

beforeEach(() => {
  settings.change({ confirms: true });
  begin();
});

describe("a card that is looked at", () => {
  it("is staged with the fewest dice and the least effort that pushes out", () => {
    staging.select(0);
    expect(staging.placements).toEqual([{ slot: 0, dice: 1, effort: 6 }]);
    expect(staging.choices?.effort.map((choice) => choice.isPossible)).toEqual([
      ...Array(5).fill(false),
      true,
    ]);
    expect(staging.choices?.effort.find((choice) => choice.isLeast)?.value).toBe(6);
  });

  it("is unstaged when another one is selected", () => {
    staging.select(0);
    staging.select(1);
    expect(staging.placements).toEqual([{ slot: 1, dice: 1, effort: 1 }]);
  });

  it("stays staged once something was chosen", () => {
    staging.select(0);
    staging.setDice(2);
    staging.select(1);
    expect(staging.placements).toEqual([
      { slot: 0, dice: 2, effort: 3 },
      { slot: 1, dice: 1, effort: 1 },
    ]);
    expect(staging.free).toBe(0);
    expect(staging.canAddCard).toBe(false);
  });

  it("stays staged when it is kept", () => {
    staging.select(0);
    staging.keep();
    staging.select(1);
    expect(staging.placements.map((place) => place.slot)).toEqual([0, 1]);
  });

  it.each([
    [2, "page.pick.why.own"],
    [3, "page.pick.why.too_strong"],
  ])("says why it cannot be claimed: %i", (slot, key) => {
    staging.select(slot);
    expect(staging.placements).toEqual([]);
    expect(staging.choices?.why?.key).toBe(key);
  });

  it("cannot be claimed without dice", () => {
    begin(claimView({ actions: [RECOVER] }, { ready: 0 }));
    staging.select(1);
    expect(staging.choices?.why?.key).toBe("page.pick.why.none_ready");
  });

  it("can have the dice of all others", () => {
    staging.select(1);
    staging.setDice(3);
    staging.select(0);
    expect(staging.choices?.why?.key).toBe("page.pick.why.all_elsewhere");
    expect(staging.canGather).toBe(true);
    staging.gather();
    expect(staging.placements).toEqual([{ slot: 0, dice: 1, effort: 6 }]);
  });
});

describe("choosing", () => {
  it("lowers the least effort with more dice, and keeps an effort that was chosen", () => {
    staging.select(0);
    staging.setDice(3);
    expect(staging.placements).toEqual([{ slot: 0, dice: 3, effort: 2 }]);
    staging.setEffort(4);
    staging.setDice(2);
    expect(staging.placements).toEqual([{ slot: 0, dice: 2, effort: 4 }]);
  });

  it("of what is impossible changes nothing and says why", () => {
    staging.select(0);
    staging.setEffort(3);
    expect(staging.hint).toEqual({
      key: "page.pick.why.low_here",
      details: { dice: 1, effort: 3, total: 3, needed: 6, count: 2 },
    });
    staging.setDice(3);
    staging.setEffort(1);
    expect(staging.hint?.key).toBe("page.pick.why.low");
    expect(staging.placements).toEqual([{ slot: 0, dice: 3, effort: 2 }]);
  });

  it("says that dice are missing, or elsewhere, or not enough", () => {
    begin(claimView({}, { ready: 2, least: [7, 1, null, 19] }));
    staging.select(0);
    staging.setDice(1);
    expect(staging.hint).toMatchObject({
      key: "page.pick.why.reach",
      details: { count: 1, most: 6, needed: 7 },
    });
    staging.setDice(3);
    expect(staging.hint?.key).toBe("page.pick.why.too_few");
    staging.clear();
    staging.select(1);
    staging.setEffort(2);
    staging.select(0);
    expect(staging.choices?.why).toMatchObject({ key: "page.pick.why.elsewhere", details: { count: 1 } });
  });

  it("goes round the possible numbers of dice", () => {
    staging.select(1);
    const seen = [1, 2, 3, 4].map(() => (staging.turnDice(), staging.placements[0]?.dice));
    expect(seen).toEqual([2, 3, 1, 2]);
  });

  it("moves to another card on the last turn", () => {
    begin(claimView({}, { one_card_only: true }));
    staging.select(0);
    staging.setDice(2);
    staging.select(1);
    expect(staging.placements).toEqual([{ slot: 1, dice: 1, effort: 1 }]);
    expect(staging.hint?.key).toBe("page.pick.moved");
    expect(staging.canAddCard).toBe(false);
  });
});

describe("dragging", () => {
  it("adds a die to a card, and the one it takes at least", () => {
    begin(claimView({}, { least: [7, 1, null, 19] }));
    staging.addDie(0);
    expect(staging.placements).toEqual([{ slot: 0, dice: 2, effort: 4 }]);
    staging.addDie(0);
    expect(staging.placements).toEqual([{ slot: 0, dice: 3, effort: 3 }]);
    staging.removeDie(0);
    staging.addDie(1);
    expect(staging.placements.map((place) => place.dice)).toEqual([2, 1]);
    staging.removeDie(0);
    expect(staging.placements).toEqual([{ slot: 1, dice: 1, effort: 1 }]);
  });

  it("does not reach a second card on the last turn", () => {
    begin(claimView({}, { one_card_only: true }));
    staging.addDie(1);
    staging.addDie(0);
    expect(staging.hint?.key).toBe("page.pick.why.one_card");
    expect(staging.placements.map((place) => place.slot)).toEqual([1]);
  });

  it("says why a card takes none", () => {
    staging.addDie(2);
    expect(staging.hint?.key).toBe("page.pick.why.own");
  });
});

describe("confirming", () => {
  it("sends one move with all placements, once", async () => {
    staging.select(1);
    staging.setEffort(2);
    staging.select(0);
    const both = [staging.confirm(), staging.confirm()];
    expect(staging.isSending).toBe(true);
    expect(await Promise.all(both)).toEqual([true, false]);
    expect(table.sent).toEqual([
      [
        {
          do: "claim",
          place: [
            { slot: 0, dice: 1, effort: 6 },
            { slot: 1, dice: 1, effort: 2 },
          ],
        },
      ],
    ]);
  });

  it("needs something staged", async () => {
    expect(await staging.confirm()).toBe(false);
    expect(table.sent).toEqual([]);
  });

  it("keeps what is still legal when it is refused", async () => {
    staging.select(0);
    staging.setDice(2);
    staging.select(1);
    const reason = { code: "stale", details: {}, text: "Look again." };
    table.answer = () => {
      const form = { least: [null, 1, null, 19], ready: 3 };
      table.show(claimView({}, form));
      return Promise.reject(new Refusal(reason));
    };
    expect(await staging.confirm()).toBe(false);
    expect(staging.trouble).toEqual({ kind: "refused", reason });
    expect(staging.placements).toEqual([{ slot: 1, dice: 1, effort: 1 }]);
    expect(staging.isSending).toBe(false);
  });

  it("keeps everything when the line breaks", async () => {
    staging.select(1);
    table.answer = () => Promise.reject(new ConnectionLost());
    await staging.confirm();
    expect(staging.trouble).toEqual({ kind: "lost" });
    expect(staging.canConfirm).toBe(true);
  });

  it("is over with the turn, and still drawn until the screen follows", () => {
    staging.select(1);
    const shown = table.stage.view;
    table.show(claimView({ turn: 1, actor: 1, form: null, actions: [] }));
    expect(staging.placements).toEqual([]);
    expect(staging.selected).toBeNull();
    expect(staging.shown).toEqual([]);
    table.stage.view = shown;
    expect(staging.shown).toMatchObject([{ slot: 1, dice: 1, effort: 1 }]);
  });

  it("survives what others do at any time", () => {
    staging.select(0);
    staging.setDice(2);
    const next = claimView({ decisions: 22 });
    table.show({ ...next, actions: [...placementsFor(next.form ?? never()), RECOVER, MEND] });
    expect(staging.placements).toEqual([{ slot: 0, dice: 2, effort: 3 }]);
  });

  it("waits until the screen shows the round", () => {
    table.stage.view = claimView({ round: 2 });
    expect(staging.form).toBeNull();
    staging.select(1);
    expect(staging.placements).toEqual([]);
  });
});

describe("recovering", () => {
  it("asks before a turn passes for nothing", async () => {
    expect(await staging.recover()).toBe(false);
    expect(staging.isConfirmingPass).toBe(true);
    expect(await staging.recover()).toBe(true);
    expect(table.sent).toEqual([[{ do: "recover" }]]);
  });

  it("does not ask where there is something to recover, or it is not wanted", async () => {
    begin(claimView({ seats: [seat(0, { exhausted: 1 }), seat(1), seat(2)] }));
    expect(await staging.recover()).toBe(true);
    begin();
    settings.change({ confirms: false });
    expect(await staging.recover()).toBe(true);
  });
});

function never(): never {
  throw new Error("no form");
}
