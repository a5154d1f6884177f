/** Where one is, as the address says after its `#`: nothing of it reaches the server's logs. */

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
  /** What is proposed: Collectors, with the company if it names one. */
  | { screen: "new"; proposal?: string }
  | { screen: "rules"; topic: string | null }
  | { screen: "tutorial"; lesson: string | null }
  /** A finished game at a moment, as a seat knew it; without a table, one that is brought along. */
  | ReplayRoute
  | { screen: "daily"; day: string | null }
  | { screen: "duplicate"; id: string | null }
  | { screen: "table"; table: string; invite: string | null };

export function read(hash: string): Route {
  const [screen, first, second, third, fourth] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  switch (screen) {
    case "lobby":
    case "settings":
    case "games":
    case "history":
      return { screen };
    case "tutorial":
      return { screen, lesson: first || null };
    case "replay":
      return {
        screen,
        table: first || null,
        moment: numberIn(second),
        viewer: third || null,
        invite: fourth || null,
      };
    case "daily":
      return { screen, day: first || null };
    case "duplicate":
      return { screen, id: first || null };
    case "new":
      return first ? { screen, proposal: first } : { screen };
    case "rules":
      return { screen, topic: first || null };
    case "table":
      return first ? { screen, table: first, invite: second || null } : { screen: "home" };
    default:
      return { screen: "home" };
  }
}

function numberIn(text: string | undefined): number | null {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function pathOf(...parts: (string | number | null)[]): string {
  const end = parts.indexOf(null);
  return `#/${(end < 0 ? parts : parts.slice(0, end)).map((part) => encodeURIComponent(part ?? "")).join("/")}`;
}

export function hashOf(route: Route): string {
  switch (route.screen) {
    case "tutorial":
      return pathOf(route.screen, route.lesson);
    case "replay":
      return pathOf(route.screen, route.table, route.moment, route.viewer, route.invite ?? null);
    case "daily":
      return pathOf(route.screen, route.day);
    case "duplicate":
      return pathOf(route.screen, route.id);
    case "home":
      return "#/";
    case "new":
      return pathOf(route.screen, route.proposal ?? null);
    case "rules":
      return pathOf(route.screen, route.topic);
    case "table":
      return pathOf(route.screen, route.table, route.invite);
    default:
      return `#/${route.screen}`;
  }
}

class Router {
  route = $state.raw<Route>(read(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = read(location.hash)));
  }

  go(route: Route): void {
    location.hash = hashOf(route);
  }

  /** Without a step in the browser's history. */
  replace(route: Route): void {
    history.replaceState(null, "", hashOf(route));
    this.route = route;
  }
}

export const router = new Router();
