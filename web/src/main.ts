import { mount } from "svelte";
import App from "./App.svelte";
import { words } from "./i18n/index.svelte";
import { paintState } from "./kit/paint.svelte";
import { session } from "./state/session.svelte";
import { settings } from "./state/settings.svelte";
import "./styles/base.css";

/** Milliseconds to wait for fonts before rendering with fallbacks. */
const TIMEOUT = 400;

async function fontsReady(): Promise<void> {
  const families = ["Alegreya Variable", "Commissioner Variable"];
  const loading = families.map((family) => document.fonts.load(`1em "${family}"`));
  const enough = new Promise((resolve) => setTimeout(resolve, TIMEOUT));
  await Promise.race([Promise.allSettled(loading), enough]);
}

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the game.");

await Promise.all([words.setLanguage(settings.language), fontsReady()]);
mount(App, { target });
void paintState.begin();
void session.begin();
