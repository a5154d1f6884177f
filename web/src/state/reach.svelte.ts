/** Whether the server can be reached, as far as this device knows. */
import { session } from "./session.svelte";

class Reach {
  /** Whether the line has been down for longer than a moment. */
  isCut = $state(false);
  private hasNetwork = $state(navigator.onLine);

  constructor() {
    addEventListener("offline", () => (this.hasNetwork = false));
    addEventListener("online", () => {
      this.hasNetwork = true;
      session.hurry();
    });
  }

  /** Whether all that needs the server has to wait. */
  get isLost(): boolean {
    return session.line !== "open" && (this.isCut || !this.hasNetwork);
  }
}

export const reach = new Reach();
