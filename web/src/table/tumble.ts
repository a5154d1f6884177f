/** Animations of rolling dice. */

export interface Throw {
  duration: number;
  /** The start of the movement relative to the end, in pixels. */
  from: { x: number; y: number };
}

/** Rolls a die in; it bounces twice and stops on its face. */
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
    `perspective(calc(var(--edge) * 8)) rotateX(${x - 17}deg) rotateY(${y - 19}deg)`;
  const side = Math.sign(from.x || 1);
  cube.animate([{ transform: turned(760 + index * 90, side * -560) }, { transform: turned(0, 0) }], {
    duration: duration * late,
    easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
  });
}

/** Shakes the element after a failure. */
export function shake(element: HTMLElement): void {
  if (typeof element.animate !== "function") return;
  const to = (x: number) => ({ transform: `translateX(${x}px) rotate(${x / 10}deg)` });
  element.animate([to(0), to(-7), to(6), to(-4), to(2), to(0)], { duration: 320, easing: "ease-out" });
}
