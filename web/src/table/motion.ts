/**
 * Cards and dice on their way. Before a change it is noted where everything lies, after it whatever lies elsewhere flies
 * there: a copy of it on a layer above all else, by transform and opacity alone.
 *
 * Cards are known by `data-card`; a die by its owner (`data-die`) and by the `data-slot` or `data-seat` around it, for
 * one heir's dice are all alike. New cards come from the deck (`data-deck`).
 */
import { tick } from "svelte";
import type { Mover } from "../state/stage.svelte";

interface Spot {
  element: HTMLElement;
  box: DOMRect;
}
interface DieSpot extends Spot {
  place: string;
}
interface Picture {
  cards: Map<string, Spot>;
  /** By owner. */
  dice: Map<string, DieSpot[]>;
  deck: DOMRect | null;
}

const EASE = "cubic-bezier(0.22, 0.8, 0.3, 1)";
const STAGGER = 0.18;

/** A mover for the table that is drawn in `root`. */
export function moverIn(root: ParentNode): Mover {
  return (change, duration) => {
    if (duration === 0 || typeof Element.prototype.animate !== "function") return change();
    const before = look(root);
    change();
    void tick().then(() => fly(before, look(root), duration));
  };
}

function look(root: ParentNode): Picture {
  const cards = new Map<string, Spot>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0) cards.set(element.dataset.card ?? "", { element, box });
  }
  const dice = new Map<string, DieSpot[]>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-die]")) {
    const place = placeOf(element);
    const box = element.getBoundingClientRect();
    if (place === null || box.width === 0) continue;
    const owner = element.dataset.die ?? "";
    dice.set(owner, [...(dice.get(owner) ?? []), { element, box, place }]);
  }
  const deck = root.querySelector("[data-deck]")?.getBoundingClientRect() ?? null;
  return { cards, dice, deck };
}

function placeOf(die: HTMLElement): string | null {
  const around = die.closest<HTMLElement>("[data-slot], [data-seat]");
  if (!around) return null;
  return around.dataset.slot === undefined ? "home" : `slot-${around.dataset.slot}`;
}

/** Which dice came from where: those whose place has more of them now, from places that have fewer. */
export function journeys<Die extends { place: string }>(
  before: readonly Die[],
  after: readonly Die[],
): { from: Die; to: Die }[] {
  const left = [...before];
  const arrived = after.filter((die) => {
    const same = left.findIndex((other) => other.place === die.place);
    if (same >= 0) left.splice(same, 1);
    return same < 0;
  });
  return arrived.flatMap((to) => {
    const from = left.shift();
    return from ? [{ from, to }] : [];
  });
}

function fly(before: Picture, after: Picture, duration: number): void {
  for (const [owner, dice] of after.dice)
    for (const { from, to } of journeys(before.dice.get(owner) ?? [], dice))
      send(to.element, from.box, to, duration, "arc");
  let dealt = 0;
  for (const [number, card] of after.cards) {
    const old = before.cards.get(number);
    if (!old) deal(card, before.deck ?? after.deck, duration, dealt++);
    else if (hasMoved(old.box, card.box)) send(old.element, old.box, card, duration, "straight");
  }
  for (const [number, card] of before.cards) if (!after.cards.has(number)) dismiss(card, duration);
}

function hasMoved(from: DOMRect, to: DOMRect): boolean {
  return Math.hypot(from.left - to.left, from.top - to.top) > 2 || Math.abs(from.width - to.width) > 2;
}

/** A copy of `look` travels from one box to the place of `target`, which shows itself when it is there. */
function send(look: HTMLElement, from: DOMRect, target: Spot, duration: number, path: "arc" | "straight"): void {
  const { element, box } = target;
  const copy = copyOnLayer(look, look === element ? box : from);
  const shift = (start: DOMRect, end: DOMRect) =>
    `translate(${start.left - end.left}px, ${start.top - end.top}px) scale(${start.width / end.width})`;
  const [first, last] =
    look === element ? [shift(from, box), "none"] : ["none", shift(box, from)];
  const lift = Math.min(60, Math.abs(from.left - box.left) / 6 + 12);
  const middle =
    path === "arc"
      ? [{ transform: `translate(${(from.left - box.left) / 2}px, ${(from.top - box.top) / 2 - lift}px) scale(1.15)` }]
      : [];
  const flight = copy.animate([{ transform: first }, ...middle, { transform: last }], {
    duration,
    easing: EASE,
    fill: "both",
  });
  element.animate([{ opacity: 0 }, { opacity: 0, offset: 0.92 }, { opacity: 1 }], { duration });
  landed(flight, copy);
}

/** A card that nobody saw before: from the deck, turned over on the way. */
function deal(card: Spot, deck: DOMRect | null, duration: number, order: number): void {
  const { element, box } = card;
  const from = deck
    ? `translate(${deck.left - box.left}px, ${deck.top - box.top}px) scale(${Math.min(1, deck.width / box.width)})`
    : "translateY(-24px)";
  element.animate(
    [
      { transform: `perspective(900px) ${from} rotateY(-150deg)`, opacity: 0 },
      { opacity: 1, offset: 0.35 },
      { transform: "perspective(900px) translate(0, 0) scale(1) rotateY(0deg)", opacity: 1 },
    ],
    { duration, delay: order * duration * STAGGER, easing: EASE, fill: "backwards" },
  );
}

/** A card that nobody took sinks into the dark. */
function dismiss(card: Spot, duration: number): void {
  const copy = copyOnLayer(card.element, card.box);
  const flight = copy.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: "translateY(34px) scale(0.9)", opacity: 0 },
    ],
    { duration, easing: "ease-in", fill: "both" },
  );
  landed(flight, copy);
}

function landed(flight: Animation, copy: HTMLElement): void {
  const remove = () => copy.remove();
  flight.finished.then(remove, remove);
}

function copyOnLayer(element: HTMLElement, box: DOMRect): HTMLElement {
  const frame = document.createElement("div");
  const copy = element.cloneNode(true) as HTMLElement;
  for (const marked of [copy, ...copy.querySelectorAll<HTMLElement>("[id], [data-card], [data-die]")]) {
    marked.removeAttribute("id");
    marked.removeAttribute("data-card");
    marked.removeAttribute("data-die");
  }
  const style = getComputedStyle(element);
  for (const name of ["--die-edge", "--tilt", "--k"]) frame.style.setProperty(name, style.getPropertyValue(name));
  Object.assign(frame.style, {
    position: "fixed",
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    transformOrigin: "0 0",
    pointerEvents: "none",
    zIndex: "40",
    color: style.color,
    font: style.font,
  });
  frame.inert = true;
  frame.setAttribute("aria-hidden", "true");
  frame.append(copy);
  document.body.append(frame);
  return frame;
}

export interface Throw {
  duration: number;
  /** From where the dice come, in pixels from where they will lie. */
  from: { x: number; y: number };
}

/** A die of the kit rolls in, hops twice and lies still on its face. */
export function tumble(die: HTMLElement, { duration, from }: Throw, index: number): void {
  const cube = die.querySelector<HTMLElement>(".cube");
  if (!cube || duration === 0 || typeof die.animate !== "function") return;
  const late = 1 - 0.08 * (index % 4);
  const way = (part: number, hop: number) =>
    `translate(${from.x * part}px, ${from.y * part - hop}px) rotate(${part * (index % 2 ? -70 : 90)}deg)`;
  die.animate(
    [
      { transform: way(1, 0), opacity: 0 },
      { transform: way(0.8, 46), opacity: 1, offset: 0.18 },
      { transform: way(0.42, 0), offset: 0.45 },
      { transform: way(0.2, 26), offset: 0.63 },
      { transform: way(0.06, 0), offset: 0.8 },
      { transform: way(0.02, 7), offset: 0.9 },
      { transform: way(0, 0) },
    ],
    { duration: duration * late, easing: "linear", fill: "backwards" },
  );
  const turned = (x: number, y: number) =>
    `perspective(${cube.offsetWidth * 8}px) rotateX(${x - 17}deg) rotateY(${y - 19}deg)`;
  const side = Math.sign(from.x || 1);
  cube.animate([{ transform: turned(760 + index * 90, side * -560) }, { transform: turned(0, 0) }], {
    duration: duration * late,
    easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
  });
}

/** Failures hurt a little. */
export function shake(element: HTMLElement): void {
  if (typeof element.animate !== "function") return;
  const to = (x: number) => ({ transform: `translateX(${x}px) rotate(${x / 10}deg)` });
  element.animate([to(0), to(-7), to(6), to(-4), to(2), to(0)], { duration: 320, easing: "ease-out" });
}
