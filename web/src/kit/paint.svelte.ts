/** Timeout in milliseconds: hidden pages do not paint. */
const TIMEOUT = 1000;

/** Resolves once the current state is painted. */
export function shown(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, TIMEOUT);
  });
}

class PaintState {
  /** Whether the first paint is done, so that less important content can follow. */
  hasBegun = $state(false);

  async begin(): Promise<void> {
    await shown();
    this.hasBegun = true;
  }
}

export const paintState = new PaintState();
