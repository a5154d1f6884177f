/** What the service worker keeps of a build: paths, all but a few with a digest in their name. */
export interface Kept {
  /** Of all that follows. */
  version: string;
  /** SHA-256 of the page itself, in hex. */
  page: string;
  shared: string[];
  /** Words and letters that only one language needs. */
  languages: Record<string, string[]>;
}

/** From the page to its service worker. */
export type ToWorker =
  /** It is one's turn somewhere. */
  | { type: "turn"; tag: string; title: string; body: string; hash: string }
  /** The game was looked at, or goes on. */
  | { type: "seen"; tag: string };

/** From the service worker to its page. */
export type ToPage =
  /** Somebody clicked where this leads. */
  | { type: "go"; hash: string }
  /** A newer page came after this one had to be shown. */
  | { type: "outdated" };
