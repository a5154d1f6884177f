/** Whether this device can reach the server. */
import { session } from "./session.svelte";

class Connectivity {
  /** Whether the connection has been down for more than a moment. */
  isDisconnected = $state(false);
  private hasNetwork = $state(navigator.onLine);

  constructor() {
    addEventListener("offline", () => (this.hasNetwork = false));
    addEventListener("online", () => {
      this.hasNetwork = true;
      session.reconnectNow();
    });
  }

  /** Whether everything that needs the server must wait. */
  get isUnreachable(): boolean {
    return session.line !== "open" && (this.isDisconnected || !this.hasNetwork);
  }
}

export const connectivity = new Connectivity();
