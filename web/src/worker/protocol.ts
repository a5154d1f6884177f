/** Files of a build that the service worker caches; most paths contain a digest. */
export interface CacheManifest {
  /** Of all the files below. */
  version: string;
  /** SHA-256 of the page itself, in hex. */
  page: string;
  shared: string[];
  /** Catalogues and fonts of one language. */
  languages: Record<string, string[]>;
}

/** From the page to its service worker. */
export type ToWorker =
  /** A turn of the user begins. */
  | { type: "turn"; tag: string; title: string; body: string; hash: string }
  /** The user opened the game, or it moved on. */
  | { type: "seen"; tag: string };

/** From the service worker to its page. */
export type ToPage =
  /** The user clicked a notification with this target. */
  | { type: "go"; hash: string }
  /** A newer page arrived after the cached one was shown. */
  | { type: "outdated" };
