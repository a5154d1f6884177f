/** The screen size. The table's style sheets use the same widths. */
class Screen {
  private readonly query = matchMedia("(max-width: 759px), (max-height: 479px)");
  private matches = $state(this.query.matches);

  constructor() {
    this.query.addEventListener("change", (event) => (this.matches = event.matches));
  }

  /** Whether it is a phone, in either orientation. */
  get is(): boolean {
    return this.matches;
  }
}

export const phone = new Screen();
