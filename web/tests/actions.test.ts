import { describe, expect, it } from "vitest";
import { openingsIn, placementCode } from "../src/state/actions";

describe("small decisions", () => {
  it("are numbered as the server numbers them", () => {
    expect(placementCode({ slot: 0, dice: 1, effort: 1 })).toBe(0);
    expect(placementCode({ slot: 1, dice: 2, effort: 3 })).toBe(26);
    expect(placementCode({ slot: 5, dice: 3, effort: 6 })).toBe(107);
  });

  it("have one number for each placement", () => {
    const codes = [0, 1, 2, 3, 4, 5].flatMap((slot) =>
      [1, 2, 3].flatMap((dice) => [1, 2, 3, 4, 5, 6].map((effort) => placementCode({ slot, dice, effort }))),
    );
    expect(codes).toEqual(Array.from({ length: 108 }, (_, code) => code));
  });

  it("open nothing beyond the last slot", () => {
    const nothing = { canRecover: false, canPeek: false, canMend: false, canDecline: false };
    expect(openingsIn([108, 113, 118, 119, 124, 125, 128])).toEqual({
      ...nothing,
      takes: [0, 5],
      rerolls: [0, 5],
    });
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
