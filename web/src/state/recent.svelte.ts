/** The last table visited: the rules show its Collectors first and link back to it. */
import type { Route } from "./router.svelte";

export interface RecentTable {
  route: Extract<Route, { screen: "table" }>;
  /** Sides in the order of the types; null before they are drawn. */
  collectors: string | null;
}

class Recent {
  table = $state.raw<RecentTable | null>(null);
}

export const recent = new Recent();
