/** What concerns no person may stay: how the page looks, and the invitation to the server. */
const KEPT = ["royalcrypt.preferences", "royalcrypt.invitation"];

/** Forgets what this device remembers of its person's games. */
export function forgetDevice(): void {
  try {
    const ours = Object.keys(localStorage).filter((key) => key.startsWith("royalcrypt."));
    for (const key of ours) if (!KEPT.includes(key)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
