import { describe, expect, it } from "vitest";
import { decode, openingsIn, placementCode } from "../src/state/actions";

describe("small decisions", () => {
  it("are numbered as the server numbers them", () => {
    expect(placementCode({ slot: 0, dice: 1, effort: 1 })).toBe(0);
    expect(placementCode({ slot: 1, dice: 2, effort: 3 })).toBe(26);
    expect(placementCode({ slot: 5, dice: 3, effort: 6 })).toBe(107);
    expect([108, 109, 110, 111, 112].map(decode)).toEqual(
      ["done", "recover", "peek", "mend", "decline"].map((verb) => ({ do: verb })),
    );
    expect([113, 118, 119, 124].map(decode)).toEqual([
      { do: "take", slot: 0 },
      { do: "take", slot: 5 },
      { do: "reroll", slot: 0 },
      { do: "reroll", slot: 5 },
    ]);
    expect([125, 128].map(decode)).toEqual([
      { do: "flip", value: 1 },
      { do: "flip", value: 4 },
    ]);
  });

  it("come back from their numbers", () => {
    for (let code = 0; code < 108; code += 1) {
      const decision = decode(code);
      if (decision.do !== "place") throw new Error(decision.do);
      expect(placementCode(decision)).toBe(code);
    }
  });

  it("are refused beyond the last", () => {
    for (const code of [-1, 129, 0.5]) expect(() => decode(code)).toThrow(RangeError);
  });

  it("open what may be done besides claiming", () => {
    expect(openingsIn([0, 26, 109, 111])).toEqual({
      canRecover: true,
      canPeek: false,
      canMend: true,
      canDecline: false,
      takes: [],
      rerolls: [],
    });
    expect(openingsIn([110, 112, 116, 117])).toMatchObject({
      canPeek: true,
      canDecline: true,
      takes: [3, 4],
    });
    expect(openingsIn([112, 120])).toMatchObject({ rerolls: [1], takes: [] });
  });
});
