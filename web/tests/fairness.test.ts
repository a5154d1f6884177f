/** Records of the server's engine: fair games pass, and each manipulation is located. */
import { describe, expect, it } from "vitest";
import { eventsAgree, verify } from "../src/state/fairness";
import type { GameRecord } from "../src/state/record";
import { loaded, NAMES } from "./records";

function eventOf<Type extends GameRecord["events"][number]["type"]>(
  record: GameRecord,
  type: Type,
  where = 0,
) {
  const found = record.events.filter((event) => event.type === type)[where];
  if (!found) throw new Error(`no ${type}`);
  return found as Extract<GameRecord["events"][number], { type: Type }>;
}

const otherFace = (face: number | undefined) => ((face ?? 0) % 6) + 1;

describe("a fair game", () => {
  it.each(NAMES)("passes: %s", (name) => {
    const record = loaded(name);
    const verdict = verify(record);
    expect(verdict).toMatchObject({ finding: "fair", difference: null });
    expect(verdict.cards).toBe(record.game.players < 3 ? 24 : record.game.players === 3 ? 36 : 48);
    expect(verdict.dice).toBeGreaterThan(0);
  });
});

describe("a record that was changed", () => {
  it("shows another card", () => {
    const record = loaded("3-players");
    const reveal = eventOf(record, "reveal", 2);
    const before = reveal.row[1];
    reveal.row[1] = before === "I1" ? "I2" : "I1";
    const { finding, difference } = verify(record);
    expect(finding).toBe("unfair");
    expect(difference).toMatchObject({
      what: "card",
      n: reveal.n,
      round: 3,
      number: 2,
      recorded: "I1",
      due: before,
    });
  });

  it("shows another card on top of the deck", () => {
    const record = loaded("2-players");
    const reveal = eventOf(record, "reveal", 1);
    const due = reveal.top;
    reveal.top = due === "I" ? "T" : "I";
    expect(verify(record).difference).toMatchObject({ what: "top", round: 2, due });
  });

  it("shows another face of a player's die", () => {
    const record = loaded("4-players");
    const roll = record.events.find((event) => event.type === "roll" && event.rolled.length > 1);
    if (roll?.type !== "roll") throw new Error("no roll");
    const due = String(roll.rolled[1]);
    roll.rolled[1] = otherFace(roll.rolled[1]);
    expect(verify(record).difference).toMatchObject({
      what: "die",
      n: roll.n,
      seat: roll.seat,
      number: 2,
      due,
    });
  });

  it("shows another face of the Ghost's die", () => {
    const record = loaded("1-players");
    const ghost = eventOf(record, "ghost");
    ghost.rolled[0] = otherFace(ghost.rolled[0]);
    expect(verify(record).difference).toMatchObject({ what: "ghost", n: ghost.n, number: 1 });
  });

  it("shows another face in the tie-break", () => {
    const record = loaded("tie");
    const tie = eventOf(record, "tiebreak");
    const [seat, faces] = Object.entries(tie.rolled).find(([, rolled]) => rolled.length) ?? [];
    if (!faces) throw new Error("no dice");
    faces[0] = otherFace(faces[0]);
    expect(verify(record).difference).toMatchObject({ what: "tie", seat: Number(seat), number: 1 });
  });

  it("has a secret that does not match the commitment", () => {
    const record = loaded("2-players");
    if (record.fairness) record.fairness.seed = "00".repeat(32);
    expect(verify(record).difference).toMatchObject({ what: "commitment", n: -1 });
  });

  it("lacks a device's entropy", () => {
    const record = loaded("2-players");
    record.fairness?.entropy?.pop();
    expect(verify(record).difference).toMatchObject({ what: "card", round: 1 });
  });
});

describe("this device's own data", () => {
  it("must contain the record's commitment", () => {
    const record = loaded("2-players");
    const commitment = record.fairness?.commitment ?? "";
    expect(verify(record, { commitment }).finding).toBe("fair");
    const other = "ab".repeat(32);
    expect(verify(record, { commitment: other }).difference).toMatchObject({
      what: "promise",
      due: other,
    });
  });

  it("shows whether its entropy was used", () => {
    const record = loaded("2-players");
    expect(verify(record, { entropy: ["entropy1"] }).hasOwnShare).toBe(true);
    expect(verify(record, { entropy: ["another"] }).hasOwnShare).toBe(false);
  });

  it("must agree with the record's events, as far as they were visible", () => {
    const record = loaded("2-players");
    const events = structuredClone(record.events);
    const reveal = events.find((event) => event.type === "reveal");
    if (reveal?.type !== "reveal") throw new Error("no reveal");
    reveal.row = reveal.row.map((card, slot) => (reveal.down.includes(slot) ? `${card.charAt(0)}?` : card));
    expect(verify(record, { events }).finding).toBe("fair");
    const claim = events.find((event) => event.type === "claim");
    if (claim?.type !== "claim" || !claim.place[0]) throw new Error("no claim");
    claim.place[0].effort += 1;
    expect(verify(record, { events }).difference).toMatchObject({ what: "story", n: claim.n });
  });

  it("contains the type of a hidden card", () => {
    expect(eventsAgree(["P?"], ["P2"])).toBe(true);
    expect(eventsAgree(["P?"], ["T2"])).toBe(false);
    expect(eventsAgree(["P2"], ["P3"])).toBe(false);
    expect(eventsAgree({ n: 1, top: null }, { n: 1 })).toBe(true);
    expect(eventsAgree({ n: 1 }, undefined)).toBe(false);
  });
});

describe("a record that cannot be checked", () => {
  it("has no secret", () => {
    const record = loaded("2-players");
    if (record.fairness) delete record.fairness.seed;
    expect(verify(record).finding).toBe("unproven");
  });

  it.each(["", "0", "xy"])("has a malformed secret: %j", (seed) => {
    const record = loaded("2-players");
    if (record.fairness) record.fairness.seed = seed;
    expect(verify(record).finding).toBe("unproven");
  });

  it("belongs to an unfinished game", () => {
    const record = loaded("2-players");
    record.events.pop();
    expect(verify(record).finding).toBe("unproven");
  });
});
