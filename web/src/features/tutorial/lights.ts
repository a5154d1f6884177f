/** Shows what is spoken about, and what to touch: the table draws it, here it is known. */
import { TYPES, type Letter } from "../../state/cards";
import { elementFor, type Touch } from "./guide";

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
