/** Installation of the page as an app. */

interface Offer extends Event {
  prompt(): Promise<unknown>;
}

/** Only Safari on iOS reports whether it runs as an app. */
interface AppleNavigator extends Navigator {
  standalone?: boolean;
}

class Installation {
  /** The browser's install prompt, if available. */
  private offer = $state.raw<Offer | null>(null);
  isInstalled = $state(
    matchMedia("(display-mode: standalone)").matches || (navigator as AppleNavigator).standalone === true,
  );

  constructor() {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.offer = event as Offer;
    });
    addEventListener("appinstalled", () => {
      this.offer = null;
      this.isInstalled = true;
    });
  }

  get isOffered(): boolean {
    return this.offer !== null && !this.isInstalled;
  }

  /** iOS installs from the browser's own menu. */
  get isByHand(): boolean {
    return (navigator as AppleNavigator).standalone === false;
  }

  async install(): Promise<void> {
    const { offer } = this;
    this.offer = null;
    await offer?.prompt();
  }
}

export const installation = new Installation();
