/**
 * Animations of cards and dice (FLIP): positions are measured before and after a change, and a copy of each moved
 * element flies on a layer above, by transform and opacity only.
 *
 * Cards are identified by `data-card`, and leave the row as their picture (`data-treasure`); dice by owner (`data-
 * die`) and container (`data-slot` or `data-place`), since one heir's dice are alike. New cards come from the deck
 * (`data-place="deck"`); torches are marked by `data-torch`.
 */
import type { Mover } from "../state/stage.svelte";

interface Spot {
  element: HTMLElement;
  box: DOMRect;
}
interface DieSpot extends Spot {
  place: string;
}
interface TorchSpot extends Spot {
  fontSize: string;
}
interface Likeness {
  copy: Element;
  box: DOMRect;
}
interface CardSpot extends Spot {
  /** A copy of the card's picture in the row, since the niche may show another card later; null elsewhere. */
  likeness: Likeness | null;
  isInRow: boolean;
  isFlipped: boolean;
}
interface Picture {
  cards: Map<string, CardSpot>;
  torches: Map<string, TorchSpot>;
  /** By owner. */
  dice: Map<string, DieSpot[]>;
  deck: DOMRect | null;
}

const DECK = '[data-place="deck"] > :first-child';
const EASE = "cubic-bezier(0.22, 0.8, 0.3, 1)";
const STAGGER = 0.18;
/** The width of a die's box relative to its edge (see the kit's Die). */
const DIE_BOX = 1.22;

/** A mover for the table rendered in `root`. */
export function moverIn(root: ParentNode): Mover {
  return (change, duration) => {
    if (duration === 0 || typeof Element.prototype.animate !== "function") return change();
    const before = measure(root, true);
    change();
    // Before the next paint, when the browser computes the layout anyway.
    requestAnimationFrame(() => fly(before, measure(root, false), duration));
  };
}

function measure(root: ParentNode, takesLikenesses: boolean): Picture {
  const cards = new Map<string, CardSpot>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0) continue;
    const isInRow = element.dataset.slot !== undefined;
    const likeness = isInRow && takesLikenesses ? treasureIn(element) : null;
    const isFlipped = element.classList.contains("is-flipped");
    cards.set(element.dataset.card ?? "", { element, box, likeness, isInRow, isFlipped });
  }
  const dice = new Map<string, DieSpot[]>();
  for (const owned of root.querySelectorAll<HTMLElement>("[data-die]")) {
    const place = placeOf(owned);
    const element = owned.firstElementChild;
    if (place === null || !(element instanceof HTMLElement) || element.offsetWidth === 0) continue;
    const owner = owned.dataset.die ?? "";
    dice.set(owner, [...(dice.get(owner) ?? []), { element, box: uprightBox(element), place }]);
  }
  const torches = new Map<string, TorchSpot>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-torch]")) {
    const box = element.getBoundingClientRect();
    const { fontSize } = getComputedStyle(element);
    if (box.width > 0) torches.set(element.dataset.torch ?? "", { element, box, fontSize });
  }
  const deck = root.querySelector(DECK)?.getBoundingClientRect() ?? null;
  return { cards, torches, dice, deck };
}

function treasureIn(card: HTMLElement): Likeness | null {
  const picture = card.querySelector("[data-treasure] > svg");
  return picture && { copy: copyOf(picture), box: picture.getBoundingClientRect() };
}

function copyOf<Thing extends Element>(thing: Thing): Thing {
  const copy = thing.cloneNode(true) as Thing;
  // Prevents selectors from finding the copy.
  copy.removeAttribute("data-torch");
  return copy;
}

/** The box without the die's tilt. */
function uprightBox(element: HTMLElement): DOMRect {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const x = left + (width - offsetWidth) / 2;
  const y = top + (height - offsetHeight) / 2;
  return new DOMRect(x, y, offsetWidth, offsetHeight);
}

function placeOf(die: HTMLElement): string | null {
  const around = die.closest<HTMLElement>("[data-slot], [data-place]");
  return around ? (around.dataset.slot ?? around.dataset.place ?? null) : null;
}

/** Pairs dice of places that gained some with places that lost some. */
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
    for (const { from, to } of journeys(before.dice.get(owner) ?? [], dice)) moveDie(from.box, to, duration);
  let dealt = 0;
  for (const [number, card] of after.cards) {
    const old = before.cards.get(number);
    if (!old && card.isInRow) dealCard(card, before.deck ?? after.deck, duration, dealt++);
    else if (old?.likeness && !card.isInRow) moveCard(old.likeness, card, duration);
    else if (old && card.isFlipped && !old.isFlipped) flipCard(card.element, duration);
  }
  for (const [name, torch] of after.torches) {
    const old = before.torches.get(name);
    if (old && old.element !== torch.element) moveTorch(old.box, torch, duration);
  }
  for (const [number, { likeness }] of before.cards)
    if (likeness && !after.cards.has(number)) fadeOut(likeness, duration);
}

function way(from: DOMRect, to: DOMRect): string {
  return `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${to.width / from.width})`;
}

/** A die moves in an arc. */
function moveDie(from: DOMRect, { element, box }: Spot, duration: number): void {
  const frame = onLayer(copyOf(element), box);
  frame.style.setProperty("--die-edge", `${box.width / DIE_BOX}px`);
  frame.style.setProperty("--tilt", element.parentElement?.style.getPropertyValue("--tilt") ?? "");
  const lift = Math.min(60, Math.abs(from.left - box.left) / 6 + 12);
  showOnArrival(
    element,
    frame.animate(arc(from, box, lift, 1.15), { duration, easing: EASE, fill: "both" }),
    frame,
  );
}

function arc(from: DOMRect, to: DOMRect, lift: number, scale: number): Keyframe[] {
  const [x, y] = [(from.left - to.left) / 2, (from.top - to.top) / 2 - lift];
  const middle = `translate(${x}px, ${y}px) scale(${scale})`;
  return [{ transform: way(to, from) }, { transform: middle }, { transform: "none" }];
}

/** A card moves from the row to a collection. */
function moveCard({ copy, box: from }: Likeness, { element, box }: Spot, duration: number): void {
  const frame = onLayer(copy, from);
  const frames = [{ transform: "none" }, { transform: way(from, box), opacity: 0.75 }];
  showOnArrival(element, frame.animate(frames, { duration, easing: EASE, fill: "both" }), frame);
}

/** A torch moves in a high arc. */
function moveTorch(from: DOMRect, { element, box, fontSize }: TorchSpot, duration: number): void {
  const frame = onLayer(copyOf(element), box);
  frame.style.fontSize = fontSize;
  const timing = { duration: duration * 1.4, easing: "ease-in-out", fill: "both" } as const;
  showOnArrival(element, frame.animate(arc(from, box, 40, 3.2), timing), frame);
}

/** A treasure is flipped. */
function flipCard(chip: HTMLElement, duration: number): void {
  const to = (degrees: number) => ({
    transform: `perspective(300px) rotateY(${degrees}deg) scale(${degrees ? 1.5 : 1})`,
  });
  chip.animate([to(-180), to(0)], { duration, easing: EASE });
}

/** Shows the element when its copy arrives. */
function showOnArrival(element: HTMLElement, flight: Animation, frame: HTMLElement): void {
  const hidden = element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: 60_000 });
  const end = () => {
    hidden.cancel();
    frame.remove();
  };
  flight.finished.then(end, end);
}

/** A new card comes from the deck and turns over on the way. */
function dealCard(card: Spot, deck: DOMRect | null, duration: number, order: number): void {
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

/** A card that nobody took fades out. */
function fadeOut({ copy, box }: Likeness, duration: number): void {
  const frame = onLayer(copy, box);
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: "translateY(34px) scale(0.9)", opacity: 0 },
  ];
  const end = () => frame.remove();
  frame.animate(frames, { duration, easing: "ease-in", fill: "both" }).finished.then(end, end);
}

function onLayer(copy: Element, box: DOMRect): HTMLElement {
  const frame = document.createElement("div");
  Object.assign(frame.style, {
    position: "fixed",
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    transformOrigin: "0 0",
    contain: "size layout style",
    pointerEvents: "none",
    zIndex: "40",
  });
  frame.inert = true;
  frame.setAttribute("aria-hidden", "true");
  frame.append(copy);
  document.body.append(frame);
  return frame;
}
