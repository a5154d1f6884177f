/** Where one is, as the address says after its `#`: nothing of it reaches the server's logs. */

export type Route =
  | { screen: "home" | "lobby" | "settings" | "games" }
  /** What is proposed: Collectors, with the company if it names one. */
  | { screen: "new"; proposal?: string }
  | { screen: "rules"; topic: string | null }
  | { screen: "table"; table: string; invite: string | null };

export function read(hash: string): Route {
  const [screen, first, second] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  switch (screen) {
    case "lobby":
    case "settings":
    case "games":
      return { screen };
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

export function hashOf(route: Route): string {
  switch (route.screen) {
    case "home":
      return "#/";
    case "new":
      return route.proposal ? `#/new/${encodeURIComponent(route.proposal)}` : "#/new";
    case "rules":
      return route.topic ? `#/rules/${encodeURIComponent(route.topic)}` : "#/rules";
    case "table": {
      const parts = [route.table, route.invite].filter((part) => part !== null);
      return `#/table/${parts.map(encodeURIComponent).join("/")}`;
    }
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
