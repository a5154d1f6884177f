import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { words } from "../src/i18n/index.svelte";
import { announcements } from "../src/kit/announce.svelte";
import { session } from "../src/state/session.svelte";
import { LiveTable } from "../src/state/table.svelte";
import { muted, REACTIONS, unreadLines } from "../src/state/chat.svelte";
import Chat from "../src/table/Chat.svelte";
import Reactions from "../src/table/Reactions.svelte";
import type { Audience, ChatLine, You } from "../src/wire/types";

const you: You = { seats: [0], seat: 0, is_owner: true, invite: null, away_since: null };
const line = (id: number, person: string, text: string, audience: Audience = "table"): ChatLine => ({
  id,
  audience,
  person,
  name: person,
  text,
  at: 0,
});

function table(seat: number | null = 0): LiveTable {
  const made = new LiveTable("t", null);
  made.you = { ...you, seat };
  made.chat = [line(1, "ada", "hello"), line(2, "bo", "go home"), line(3, "cy", "psst", "spectators")];
  return made;
}

beforeAll(() => words.setLanguage("en"));
afterEach(cleanup);
beforeEach(() => {
  session.me = { person: "ada", name: "ada" };
  if (muted.has("bo")) muted.toggle("bo");
});

describe("talk at a table", () => {
  it("is unread until it is read, unless it is one's own or nobody listens", () => {
    expect(unreadLines(table(), "ada", 0).map(({ id }) => id)).toEqual([2, 3]);
    expect(unreadLines(table(), "ada", 2).map(({ id }) => id)).toEqual([3]);
    muted.toggle("bo");
    expect(unreadLines(table(), "ada", 0).map(({ id }) => id)).toEqual([3]);
  });

  it("can be silenced person by person, on this device alone", async () => {
    render(Chat, { table: table() });
    expect(screen.getByText("go home")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Mute bo" }));
    expect(screen.queryByText("go home")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Hear bo again" }));
    expect(screen.getByText("go home")).toBeTruthy();
  });

  it("is sent as it was written, and cleared", async () => {
    const at = table();
    const translate = vi.spyOn(at, "sendChat").mockResolvedValue();
    render(Chat, { table: at });
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Your message" });
    await fireEvent.input(field, { target: { value: "  <b>hi</b> " } });
    await fireEvent.submit(field);
    expect(translate).toHaveBeenCalledWith("<b>hi</b>");
    expect(field.value).toBe("");
  });

  it("has eight quick reactions", async () => {
    const at = table();
    const react = vi.spyOn(at, "react").mockResolvedValue();
    render(Chat, { table: at });
    expect(REACTIONS).toHaveLength(8);
    for (const reaction of REACTIONS) {
      await fireEvent.click(
        screen.getByRole("button", { name: words.translate(`page.chat.reaction.${reaction}`) }),
      );
      expect(react).toHaveBeenLastCalledWith(reaction);
    }
  });

  it("keeps spectators to themselves: they hear the table, and talk to each other", async () => {
    render(Chat, { table: table(null) });
    expect(screen.getByText("psst")).toBeTruthy();
    expect(screen.queryByText("go home")).toBeNull();
    await fireEvent.click(screen.getByRole("radio", { name: "The table" }));
    expect(screen.getByText("go home")).toBeTruthy();
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("shows nothing of spectators to those who play", () => {
    render(Chat, { table: table() });
    expect(screen.queryByText("psst")).toBeNull();
  });
});

describe("what is called across the table", () => {
  it("is heard politely, and seen in passing, unless it is muted", async () => {
    const at = table();
    const { container } = render(Reactions, { table: at });
    at.reactions = [
      { type: "reacted", table: "t", audience: "table", person: "bo", name: "bo", reaction: "ouch" },
    ];
    await vi.waitFor(() => expect(container.textContent).toContain("Ouch!"));
    expect(announcements.polite.at(-1)?.text).toBe("bo: Ouch!");
    muted.toggle("bo");
    at.chat = [...at.chat, line(4, "bo", "listen!")];
    await Promise.resolve();
    expect(container.textContent).not.toContain("listen!");
  });
});
