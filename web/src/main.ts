import { mount } from "svelte";
import App from "./App.svelte";
import { lettersReady } from "./fonts/ready";
import { words } from "./i18n/index.svelte";
import { painting } from "./kit/painting.svelte";
import { session } from "./state/session.svelte";
import { settings } from "./state/settings.svelte";
import "./styles/base.css";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the game.");

await Promise.all([words.speak(settings.language), lettersReady()]);
mount(App, { target });
void painting.begin();
void session.begin();
