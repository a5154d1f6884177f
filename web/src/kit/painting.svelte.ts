/** A page that nobody looks at paints nothing: after so many milliseconds life goes on. */
const PATIENCE = 1000;

/** Until all that is there by now was painted. */
export function shown(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PATIENCE);
  });
}

class Painting {
  /** Whether people see something: what they do not look at first can come now. */
  hasBegun = $state(false);

  async begin(): Promise<void> {
    await shown();
    this.hasBegun = true;
  }
}

export const painting = new Painting();
