/** What a step is about: what to touch next on the way to its move, and what is lit up. */
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
  return move.do === "claim" ? onTheWay(move.place ?? [], draft) : { kind: "accept" };
}

function onTheWay(wanted: readonly WirePlacement[], { placements, selected }: Draft): Touch {
  const on = (slot: number) => placements.find((place) => place.slot === slot);
  const unlike = wanted.find((place) => {
    const there = on(place.slot);
    return there?.dice !== place.dice || there.effort !== place.effort;
  });
  if (unlike) {
    if (selected === unlike.slot) return onCard(unlike, on(unlike.slot));
    // What was only suggested for a card leaves it, unless it is kept.
    const isNext = selected !== null && on(selected) && wanted.some(({ slot }) => slot === selected);
    return isNext ? { kind: "another" } : { kind: "card", slot: unlike.slot };
  }
  const extra = placements.find(({ slot }) => !wanted.some((place) => place.slot === slot));
  return extra ? { kind: "back", slot: extra.slot } : { kind: "claim" };
}

function onCard(wanted: WirePlacement, there: WirePlacement | undefined): Touch {
  if (there?.dice !== wanted.dice) return { kind: "dice", value: wanted.dice };
  return { kind: "effort", value: wanted.effort };
}

/** The thing on the screen. */
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

/** The key that does the same; nothing where one presses what has the focus. */
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

/** A part of the table by its name, one of its Collectors, or what is to be touched. */
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

/** Until something else is lit. `drawn` is what has to be drawn first: with it, the light is looked for again. */
export function lit(light: Light | null, drawn: unknown): () => void {
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
