/** The game on the home screen, like any other app. */

interface Offer extends Event {
  prompt(): Promise<unknown>;
}

/** Browsers of Apple's phones alone say whether they run from there. */
interface AppleNavigator extends Navigator {
  standalone?: boolean;
}

class Installing {
  /** How the browser offers it, if it does. */
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

  /** There it is done by hand, in the browser's own menu. */
  get isByHand(): boolean {
    return (navigator as AppleNavigator).standalone === false;
  }

  async install(): Promise<void> {
    const { offer } = this;
    this.offer = null;
    await offer?.prompt();
  }
}

export const installing = new Installing();
