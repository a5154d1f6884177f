/** Passing something on: by the clipboard, or the way the device likes it. */
import { toast, type ToastOptions, type Wording } from "./toast.svelte";

export const canShare = "share" in navigator;

/** Copies a text, and says in a toast whether that worked. */
export async function copyText(
  text: string,
  done: Wording,
  failed: Wording,
  options: ToastOptions = {},
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(failed, options);
  }
}

/** Opens the device's own dialog; closing it is no failure. */
export async function share(data: ShareData): Promise<void> {
  await navigator.share(data).catch(() => undefined);
}
