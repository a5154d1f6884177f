/** How much room there is. The same width stands in the style sheets of the table. */
class Screen {
  private readonly query = matchMedia("(max-width: 759px), (max-height: 479px)");
  private matches = $state(this.query.matches);

  constructor() {
    this.query.addEventListener("change", (event) => (this.matches = event.matches));
  }

  /** Whether it is a phone's, held either way. */
  get is(): boolean {
    return this.matches;
  }
}

export const phone = new Screen();
