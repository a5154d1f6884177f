/** The next element to press on the way to a step's move, and what is highlighted. */
import { t } from "../../i18n/index.svelte";
import { typeName, TYPES, type Letter } from "../../state/cards";
import type { Staging } from "../../state/staging.svelte";
import { cardButton } from "../../table/keys";
import type { View, WireAction, WirePlacement } from "../../wire/types";

export type Touch =
  | { kind: "card" | "back"; slot: number }
  | { kind: "dice" | "effort"; value: number }
  | { kind: "another" | "claim" | "recover" | "accept" };

type Draft = Pick<Staging, "placements" | "selected">;

export function touchFor(move: WireAction, draft: Draft): Touch {
  if (move.do === "recover") return { kind: "recover" };
  return move.do === "claim" ? nextTouch(move.place ?? [], draft) : { kind: "accept" };
}

function nextTouch(wanted: readonly WirePlacement[], { placements, selected }: Draft): Touch {
  const on = (slot: number) => placements.find((place) => place.slot === slot);
  const different = wanted.find((place) => {
    const current = on(place.slot);
    return current?.dice !== place.dice || current.effort !== place.effort;
  });
  if (different) {
    if (selected === different.slot) return touchOnCard(different, on(different.slot));
    // A suggested placement is dropped unless the user keeps it.
    const isNext = selected !== null && on(selected) && wanted.some(({ slot }) => slot === selected);
    return isNext ? { kind: "another" } : { kind: "card", slot: different.slot };
  }
  const extra = placements.find(({ slot }) => !wanted.some((place) => place.slot === slot));
  return extra ? { kind: "back", slot: extra.slot } : { kind: "claim" };
}

function touchOnCard(wanted: WirePlacement, current: WirePlacement | undefined): Touch {
  if (current?.dice !== wanted.dice) return { kind: "dice", value: wanted.dice };
  return { kind: "effort", value: wanted.effort };
}

/** The DOM element. */
export function elementFor(touch: Touch): HTMLElement | null {
  if (touch.kind === "card") return cardButton(touch.slot);
  const mark = "slot" in touch ? touch.slot : "value" in touch ? touch.value : null;
  const name = mark === null ? touch.kind : `${touch.kind}-${mark}`;
  return document.querySelector<HTMLElement>(`[data-touch="${name}"]`);
}

export function touchText(touch: Touch, view: View): string {
  switch (touch.kind) {
    case "card": {
      const letter = view.row[touch.slot]?.card?.type;
      return t("tutorial.touch.card", { card: letter ? t(`term.${typeName(letter)}.the`) : "" });
    }
    case "dice":
      return t("tutorial.touch.dice", { count: touch.value });
    case "effort":
      return t("tutorial.touch.effort", { effort: touch.value });
    case "back":
      return t("tutorial.touch.extra");
    case "claim":
      return t("tutorial.touch.claim");
    case "another":
      return t("tutorial.touch.press", { button: t("page.pick.another") });
    case "accept":
      return t("tutorial.touch.press", { button: t("page.reward.reroll_do") });
    case "recover": {
      const count = view.seats[view.seat ?? 0]?.exhausted ?? 0;
      return t("tutorial.touch.press", { button: t("page.pick.recover", { count }) });
    }
  }
}

/** The equivalent key; empty where the focused element is pressed. */
export function keyFor(touch: Touch): string {
  switch (touch.kind) {
    case "card":
      return "← →";
    case "dice":
      return `Shift ${touch.value}`;
    case "effort":
      return String(touch.value);
    case "another":
      return "A";
    case "recover":
      return "R";
    case "back":
      return "Esc";
    case "claim":
    case "accept":
      return "Enter";
  }
}

/** A part of the table by name, a Collector, or the next element to press. */
export type Light = string | Touch;

const COLLECTOR = "collector-";

export function collectorIn(light: string | undefined): Letter | null {
  const letter = light?.startsWith(COLLECTOR) ? light.slice(COLLECTOR.length) : "";
  return TYPES.find((type) => type === letter) ?? null;
}

export function elementOf(light: Light): HTMLElement | null {
  if (typeof light !== "string") return elementFor(light);
  const letter = collectorIn(light);
  const place = letter
    ? `[data-area="collectors"] li:nth-child(${TYPES.indexOf(letter) + 1}) button, .coach [data-collector]`
    : `[data-area="${light}"]`;
  return document.querySelector<HTMLElement>(place);
}

/** Highlights an element until another one is; looks it up again when `drawn` changes. */
export function highlight(light: Light | null, drawn: unknown): () => void {
  void drawn;
  let element: HTMLElement | null = null;
  const frame = requestAnimationFrame(() => {
    element = light === null ? null : elementOf(light);
    element?.setAttribute("data-lit", "");
  });
  return () => {
    cancelAnimationFrame(frame);
    element?.removeAttribute("data-lit");
  };
}
