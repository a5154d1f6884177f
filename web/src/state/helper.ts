/** The page's service worker: it keeps what can be read without a connection, and tells when it is one's turn. */
import type { ToPage, ToWorker } from "../worker/kept";
import { session } from "./session.svelte";

/** Only by https, or on this machine itself. */
export const hasHelper = "serviceWorker" in navigator;

/** Has it brought up to date, and keep the words of a language. The page works without it as well. */
export async function employ(language: string): Promise<void> {
  if (!hasHelper || !import.meta.env.PROD) return;
  try {
    await navigator.serviceWorker.register(`/sw.js?language=${language}`, { updateViaCache: "none" });
  } catch {
    // Some browsers allow none, in private windows for example.
  }
}

export async function tellHelper(message: ToWorker): Promise<void> {
  const registration = hasHelper ? await navigator.serviceWorker.getRegistration() : undefined;
  registration?.active?.postMessage(message);
}

/** Does what it asks for. */
export function hearHelper(): void {
  if (!hasHelper) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
    if (data.type === "go") location.hash = data.hash;
    else session.isOutdated = true;
  });
  navigator.serviceWorker.startMessages();
}
