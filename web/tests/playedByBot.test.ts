import { describe, expect, it } from "vitest";
import { LiveTable } from "../src/state/table.svelte";
import { Staging } from "../src/state/staging.svelte";
import { isOwnTurn } from "../src/table/turn";
import { claimView } from "./positions";

function tableTakenOver(why: "left" | null): LiveTable {
  const table = new LiveTable("t", null);
  table.you = { seats: [0], seat: 0, is_owner: false, invite: null, away_since: null };
  table.info = {
    table: "t",
    status: "running",
    settings: { players: 3 },
    seats: [{ kind: "person", name: "Ada", taken_over: why }, { kind: "person" }, { kind: "person" }],
    owner: "",
    opened: 0,
    commitment: "",
  };
  table.received = claimView();
  table.stage.show(table.received);
  return table;
}

describe("a player replaced by a bot", () => {
  it("gets no decisions until the return", () => {
    const away = tableTakenOver("left");
    expect([away.view?.actions, new Staging(away).form, isOwnTurn(away, away.view)]).toEqual([
      [],
      null,
      false,
    ]);
  });

  it("gets decisions after the return", () => {
    const back = tableTakenOver(null);
    expect(back.view).toBe(back.received);
    expect(new Staging(back).form).not.toBeNull();
    expect(isOwnTurn(back, back.view)).toBe(true);
  });
});
