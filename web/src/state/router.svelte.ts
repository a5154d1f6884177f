/** The current screen, from the address after `#`, which never reaches the server's logs. */

export interface ReplayRoute {
  screen: "replay";
  table: string | null;
  moment: number | null;
  viewer: string | null;
  /** The last part of a private table's link. */
  invite?: string | null;
}

export type Route =
  | { screen: "home" | "lobby" | "settings" | "games" | "history" }
  /** A proposed set-up: Collectors and, optionally, the opponents. */
  | { screen: "new"; proposal?: string | null }
  | { screen: "rules"; topic: string | null }
  | { screen: "tutorial"; lesson: string | null }
  /** A finished game at a moment and from a seat; without a table, an opened record. */
  | ReplayRoute
  | { screen: "daily"; day: string | null }
  | { screen: "duplicate"; id: string | null }
  | { screen: "table"; table: string; invite: string | null };

/** The address parts after each screen's name, in order. */
const PARTS = {
  home: [],
  lobby: [],
  settings: [],
  games: [],
  history: [],
  new: ["proposal"],
  rules: ["topic"],
  tutorial: ["lesson"],
  replay: ["table", "moment", "viewer", "invite"],
  daily: ["day"],
  duplicate: ["id"],
  table: ["table", "invite"],
} as const satisfies Record<Route["screen"], readonly string[]>;

function isScreen(text: string | undefined): text is Route["screen"] {
  return text !== undefined && Object.hasOwn(PARTS, text);
}

export function read(hash: string): Route {
  const [screen, ...values] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (!isScreen(screen) || (screen === "table" && !values[0])) return { screen: "home" };
  const details = PARTS[screen].map((part, index) => {
    const text = values[index] || null;
    return [part, part === "moment" ? numberIn(text) : text];
  });
  return { screen, ...Object.fromEntries(details) } as Route;
}

function numberIn(text: string | null): number | null {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** The address of a screen; ends before the first missing part. */
export function hashOf(route: Route): string {
  if (route.screen === "home") return "#/";
  const details: Partial<Record<string, string | number | null>> = { ...route };
  const values = PARTS[route.screen].map((part) => details[part] ?? null);
  const end = values.indexOf(null);
  const known = values.slice(0, end < 0 ? values.length : end);
  return `#/${[route.screen, ...known.map((value) => encodeURIComponent(value ?? ""))].join("/")}`;
}

export function hashOfTable(table: string, invite: string | null = null): string {
  return hashOf({ screen: "table", table, invite });
}

/** The replay of a table's game, or the screen to open a record. */
export function hashOfReplay(table: string | null): string {
  return hashOf({ screen: "replay", table, moment: null, viewer: null });
}

/** The full address, for sharing. */
export function linkTo(route: Route): string {
  return `${location.origin}${location.pathname}${hashOf(route)}`;
}

class Router {
  route = $state.raw<Route>(read(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = read(location.hash)));
  }

  go(route: Route): void {
    location.hash = hashOf(route);
  }

  /** Navigates without an entry in the browser's history. */
  replace(route: Route): void {
    history.replaceState(null, "", hashOf(route));
    this.route = route;
  }
}

export const router = new Router();
