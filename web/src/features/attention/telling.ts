/** Tells that it is one's turn, by the device's own notifications. */
import { t, words } from "../../i18n/index.svelte";
import { companyText } from "../../state/describe";
import { hasHelper, tellHelper } from "../../state/helper";
import { hashOfTable } from "../../state/router.svelte";
import type { GameLine } from "../../wire/types";

export type Permission = NotificationPermission | "impossible";

/** What the browser says of it; `impossible` without https, and on some phones before the game is installed. */
export function permission(): Permission {
  return hasHelper && "Notification" in window ? Notification.permission : "impossible";
}

/** Asks, on somebody's click only. */
export async function askPermission(): Promise<Permission> {
  return permission() === "default" ? await Notification.requestPermission() : permission();
}

export async function tellTurn({ info, seats }: Pick<GameLine, "info" | "seats">): Promise<void> {
  if (permission() !== "granted") return;
  await words.need("app");
  await tellHelper({
    type: "turn",
    tag: info.table,
    title: t("app.notify.turn"),
    body: companyText(info, seats),
    hash: hashOfTable(info.table),
  });
}
