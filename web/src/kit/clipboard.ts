/** Copying and sharing. */
import { toast, type ToastOptions, type Wording } from "./toast.svelte";

export const canShare = "share" in navigator;

/** Copies a text and reports success in a toast. */
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

/** Opens the system's share dialog; cancelling it is not an error. */
export async function share(data: ShareData): Promise<void> {
  await navigator.share(data).catch(() => undefined);
}
