/** The user's settings on this device. */
import { read, write } from "./storage";

export const LANGUAGES = ["en", "pl", "fr", "el"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  pl: "Polski",
  fr: "Français",
  el: "Ελληνικά",
};
export type Theme = "system" | "dark" | "light";
export const SPEEDS = ["calm", "normal", "fast", "instant"] as const;
export type Speed = (typeof SPEEDS)[number];

const DEFAULTS = {
  language: null as Language | null,
  theme: "system" as Theme,
  hasHighContrast: false,
  speed: "normal" as Speed,
  /** Whether the viewer's own dice wait for a throw gesture. */
  throwsByHand: true,
  /** Whether passing without any effect needs a confirmation. */
  confirms: true,
  /** Whether single-key shortcuts work: 1 to 6, D, R and so on. */
  usesKeys: true,
  /** Whether turn notifications are shown while the page is hidden. */
  notifies: false,
  sounds: false,
  /** From 0 to 1. */
  volume: 0.6,
  /** Whether the turn sound plays while the page is hidden. */
  soundsAway: false,
};
export type Preferences = typeof DEFAULTS;
const KEY = "preferences";

/** The saved language, then the browser's, then English. */
export function chosenLanguage(saved: Language | null, offered: readonly string[]): Language {
  if (saved && LANGUAGES.includes(saved)) return saved;
  for (const tag of offered) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}

class Settings {
  chosen = $state<Preferences>({ ...DEFAULTS, ...read<Partial<Preferences>>(KEY, {}) });
  private readonly stillness = matchMedia("(prefers-reduced-motion: reduce)");
  prefersStillness = $state(this.stillness.matches);

  constructor() {
    this.stillness.addEventListener("change", (event) => (this.prefersStillness = event.matches));
  }

  get language(): Language {
    return chosenLanguage(this.chosen.language, navigator.languages);
  }

  /** The animation speed; instant if the user prefers reduced motion. */
  get speed(): Speed {
    return this.prefersStillness ? "instant" : this.chosen.speed;
  }

  change(changes: Partial<Preferences>): void {
    Object.assign(this.chosen, changes);
    write(KEY, this.chosen);
  }
}

export const settings = new Settings();
