import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { createRawSnippet, flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { t, words } from "../src/i18n/index.svelte";
import { announce } from "../src/kit/announce.svelte";
import Announcer from "../src/kit/Announcer.svelte";
import Button from "../src/kit/Button.svelte";
import Choice from "../src/kit/Choice.svelte";
import Dialog from "../src/kit/Dialog.svelte";
import Field from "../src/kit/Field.svelte";
import LanguageMenu from "../src/kit/LanguageMenu.svelte";
import Notices from "../src/kit/Notices.svelte";
import Picture from "../src/kit/Picture.svelte";
import { notes, toast } from "../src/kit/toast.svelte";
import Toast from "../src/kit/Toast.svelte";
import { session } from "../src/state/session.svelte";
import { settings } from "../src/state/settings.svelte";

const text = (content: string) => createRawSnippet(() => ({ render: () => `<span>${content}</span>` }));

beforeAll(() => words.setLanguage("en"));
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("a button", () => {
  it("submits nothing unless it is told to", () => {
    render(Button, { children: text("Claim") });
    expect(screen.getByRole("button", { name: "Claim" }).getAttribute("type")).toBe("button");
  });

  it("with an address is a link", () => {
    render(Button, { href: "#/rules", children: text("Rules") });
    expect(screen.getByRole("link", { name: "Rules" }).getAttribute("href")).toBe("#/rules");
  });
});

describe("a picture", () => {
  it("is silent unless it has words", () => {
    const { container } = render(Picture, { name: "idol-3" });
    expect(container.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
    cleanup();
    render(Picture, { name: "idol-3", label: "Idol 3" });
    expect(screen.getByRole("img", { name: "Idol 3" })).toBeTruthy();
  });
});

describe("a choice", () => {
  const options = [
    { value: "a", label: "First", hint: "The first one" },
    { value: "b", label: "Second", hint: "The second one" },
  ];

  it("tells what was chosen, and explains it", async () => {
    const chosen: unknown[] = [];
    render(Choice, {
      label: "Which?",
      options,
      value: "a",
      onchange: (value: unknown) => chosen.push(value),
    });
    expect(screen.getByRole("group", { name: "Which?" })).toBeTruthy();
    expect(screen.getByText("The first one")).toBeTruthy();
    await fireEvent.click(screen.getByRole("radio", { name: "Second" }));
    expect(chosen).toEqual(["b"]);
    expect(screen.getByText("The second one")).toBeTruthy();
  });
});

describe("a field", () => {
  it("says what is wrong in place of its hint", () => {
    render(Field, { label: "Name", value: "", hint: "As you like", error: "Write one." });
    const input = screen.getByLabelText("Name");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    const described = document.getElementById(input.getAttribute("aria-describedby") ?? "");
    expect(described?.textContent?.trim()).toBe("Write one.");
  });
});

describe("a dialog", () => {
  it("has its title for a name, and closes by its cross", async () => {
    let closings = 0;
    render(Dialog, {
      open: true,
      title: "Play with bots",
      children: text("…"),
      onclose: () => (closings += 1),
    });
    expect(screen.getByRole("dialog", { name: "Play with bots" })).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(closings).toBe(1);
    expect(screen.queryByText("…")).toBeNull();
  });
});

describe("announcements", () => {
  it("are heard again when they are made again, and do not pile up", () => {
    render(Announcer);
    announce("Your turn.", "assertive");
    announce("Your turn.", "assertive");
    announce("Bo recovers.");
    flushSync();
    expect(screen.getByRole("alert").textContent?.trim()).toBe("Your turn.Your turn.");
    expect(screen.getByRole("status").textContent?.trim()).toBe("Bo recovers.");
    vi.advanceTimersByTime(60_000);
    flushSync();
    expect(screen.getByRole("alert").textContent?.trim()).toBe("");
  });
});

describe("notes", () => {
  beforeEach(() => (notes.list = []));

  it("go by themselves", () => {
    toast("The link is copied.");
    expect(notes.list).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    expect(notes.list).toHaveLength(0);
  });

  it("do not repeat themselves, and are three at most", () => {
    for (const text of ["one", "two", "two", "three", "four"]) toast(text);
    expect(notes.list.map((note) => note.text)).toEqual(["two", "three", "four"]);
  });

  it("follow a change of the language", async () => {
    render(Toast);
    toast(() => t("page.wait.copied"));
    flushSync();
    const before = screen.getByRole("group").textContent;
    await words.setLanguage("pl");
    flushSync();
    expect(screen.getByRole("group").textContent).not.toBe(before);
    expect(screen.getByText(t("page.wait.copied"))).toBeTruthy();
    await words.setLanguage("en");
  });

  it("do what they offer", async () => {
    let times = 0;
    render(Toast);
    toast("Your turn elsewhere.", { action: { label: "Go there", run: () => (times += 1) } });
    flushSync();
    await fireEvent.click(screen.getByText("Go there"));
    expect(times).toBe(1);
    expect(notes.list).toHaveLength(0);
  });
});

describe("global notices", () => {
  afterEach(() => (session.isOutdated = false));

  it("ask to reload a page whose protocol the server does not speak", async () => {
    await words.setLanguage("pl");
    render(Notices);
    const reason = { code: "wrong_protocol", details: { newest: 3 }, text: "" };
    session["receive"]({ type: "refused", reason });
    flushSync();
    const notice = screen.getByRole("status");
    expect(notice.textContent).toContain(t("page.failed.outdated"));
    expect(within(notice).getByRole("button", { name: "Odśwież" })).toBeTruthy();
    await words.setLanguage("en");
  });
});

describe("the language menu", () => {
  it("names every language in itself, and switches", async () => {
    render(LanguageMenu);
    const menu = screen.getByLabelText("Language");
    expect([...menu.querySelectorAll("option")].map((option) => option.textContent)).toEqual([
      "English",
      "Polski",
      "Français",
      "Ελληνικά",
    ]);
    await fireEvent.change(menu, { target: { value: "pl" } });
    expect(settings.chosen.language).toBe("pl");
    settings.change({ language: null });
  });
});
