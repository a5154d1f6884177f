import { describe, expect, it } from "vitest";
import { tableIn } from "../src/state/play.svelte";
import { hashOf, read } from "../src/state/router.svelte";

const TABLE = { screen: "table", table: "6BSQvIA0Y2sa", invite: "kPIkXbRW4QdWS1iL" };

describe("links to tables", () => {
  it.each([
    "https://crypt.example.org/#/table/6BSQvIA0Y2sa/kPIkXbRW4QdWS1iL",
    "  #/table/6BSQvIA0Y2sa/kPIkXbRW4QdWS1iL ",
    "6BSQvIA0Y2sa/kPIkXbRW4QdWS1iL",
    "table/6BSQvIA0Y2sa/kPIkXbRW4QdWS1iL",
  ])("are found in %s", (text) => {
    expect(tableIn(text)).toEqual(TABLE);
  });

  it("need no invitation at a listed table", () => {
    expect(tableIn("6BSQvIA0Y2sa")).toEqual({ ...TABLE, invite: null });
  });

  it.each(["", "  ", "https://crypt.example.org/", "#/rules", "two words", "a/b/c"])(
    "are not found in '%s'",
    (text) => {
      expect(tableIn(text)).toBeNull();
    },
  );

  it("lead back to where they were made", () => {
    const route = { screen: "table", table: "6BSQvIA0Y2sa", invite: "kPIkXbRW4QdWS1iL" } as const;
    expect(read(hashOf(route))).toEqual(route);
  });
});
