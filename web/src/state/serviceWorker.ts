/** The page's side of the service worker: offline cache and turn notifications. */
import type { ToPage, ToWorker } from "../worker/protocol";
import { session } from "./session.svelte";

/** Only on https or localhost. */
export const hasServiceWorker = "serviceWorker" in navigator;

/** Updates the service worker and caches a language. The page also works without it. */
export async function updateWorker(language: string): Promise<void> {
  if (!hasServiceWorker || !import.meta.env.PROD) return;
  try {
    await navigator.serviceWorker.register(`/sw.js?language=${language}`, { updateViaCache: "none" });
  } catch {
    // Some browsers allow no service workers, for example in private windows.
  }
}

export async function postToWorker(message: ToWorker): Promise<void> {
  const registration = hasServiceWorker ? await navigator.serviceWorker.getRegistration() : undefined;
  registration?.active?.postMessage(message);
}

/** Handles messages from the service worker. */
export function handleWorkerMessages(): void {
  if (!hasServiceWorker) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
    if (data.type === "go") location.hash = data.hash;
    else session.isOutdated = true;
  });
  navigator.serviceWorker.startMessages();
}
