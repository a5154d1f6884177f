/** Where scenes are played: in front of the Crypt, wherever that is on this screen. */

/** Keeps the middle of the row, as far as it can be seen, in `--middle-x` and `--middle-y`. */
export function overCrypt(scene: HTMLElement): () => void {
  const follow = () => {
    const row = document.querySelector("[data-slot]")?.parentElement?.getBoundingClientRect();
    if (!row || row.width === 0) return;
    const { offsetWidth: width, offsetHeight: height } = scene;
    const within = (middle: number, size: number, room: number) =>
      Math.max(size / 2 + 8, Math.min(middle, room - size / 2 - 8));
    const { clientWidth, clientHeight } = document.documentElement;
    scene.style.setProperty("--middle-x", `${within((row.left + row.right) / 2, width, clientWidth)}px`);
    scene.style.setProperty("--middle-y", `${within((row.top + row.bottom) / 2, height, clientHeight)}px`);
  };
  const sizes = new ResizeObserver(follow);
  sizes.observe(scene);
  addEventListener("scroll", follow, { passive: true });
  addEventListener("resize", follow);
  return () => {
    sizes.disconnect();
    removeEventListener("scroll", follow);
    removeEventListener("resize", follow);
  };
}
