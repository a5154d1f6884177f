/** Positions of the scenes relative to the Crypt. */

const MARGIN = 8;

/** Over the row. */
export function overRow(scene: HTMLElement): () => void {
  return positioned(scene, (row) => row.top + MARGIN + scene.offsetHeight / 2);
}

/** Below the row. */
export function belowRow(scene: HTMLElement): () => void {
  return positioned(scene, (row) => row.bottom + MARGIN + scene.offsetHeight / 2);
}

/** Keeps the scene's centre in `--middle-x` and `--middle-y`, and the scene within the window. */
function positioned(scene: HTMLElement, height: (row: DOMRect) => number): () => void {
  const follow = () => {
    const row = document.querySelector("[data-slot]")?.closest("ul, ol")?.getBoundingClientRect();
    if (!row || row.width === 0) return;
    const within = (middle: number, size: number, room: number) =>
      Math.max(size / 2 + MARGIN, Math.min(middle, room - size / 2 - MARGIN));
    const { clientWidth, clientHeight } = document.documentElement;
    const x = within((row.left + row.right) / 2, scene.offsetWidth, clientWidth);
    const y = within(height(row), scene.offsetHeight, clientHeight);
    scene.style.setProperty("--middle-x", `${x}px`);
    scene.style.setProperty("--middle-y", `${y}px`);
  };
  const sizes = new ResizeObserver(follow);
  // Just before the paint, when the browser computes the layout anyway.
  const opening = requestAnimationFrame(() => {
    // Above everything except open dialogs.
    if (!document.querySelector("dialog[open]")) scene.showPopover?.();
    sizes.observe(scene);
  });
  addEventListener("scroll", follow, { passive: true });
  addEventListener("resize", follow);
  return () => {
    cancelAnimationFrame(opening);
    sizes.disconnect();
    removeEventListener("scroll", follow);
    removeEventListener("resize", follow);
  };
}
