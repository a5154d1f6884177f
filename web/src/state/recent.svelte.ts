/** The table one comes from: the rules begin with its Collectors, and lead back to it. */
import type { Route } from "./router.svelte";

export interface RecentTable {
  route: Extract<Route, { screen: "table" }>;
  /** Sides in the order of the types; null before they are settled. */
  collectors: string | null;
}

class Recent {
  table = $state.raw<RecentTable | null>(null);
}

export const recent = new Recent();
