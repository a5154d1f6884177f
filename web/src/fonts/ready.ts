/** Long enough for a fast line; on a slow one it is better to read in other letters than not at all. */
const PATIENCE = 400;

/** Waits for the letters, so that nothing moves because they come. */
export async function lettersReady(): Promise<void> {
  const loading = ["Alegreya Variable", "Commissioner Variable"].map((family) =>
    document.fonts.load(`1em "${family}"`),
  );
  const enough = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([Promise.allSettled(loading), enough]);
}
