/** From one game that waits to the next. */
import { listings } from "../state/lobby.svelte";
import { router, type Route } from "../state/router.svelte";
import type { GameLine } from "../wire/types";

export function routeTo({ info }: GameLine): Route {
  return { screen: "table", table: info.table, invite: null };
}

/** Whether there was one to go to. */
export function goToNext(table: string): boolean {
  const next = listings.waiting(table)[0];
  if (next) router.go(routeTo(next));
  return next !== undefined;
}
