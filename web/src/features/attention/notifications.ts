/** Turn notifications of the operating system. */
import { t, words } from "../../i18n/index.svelte";
import { companyText } from "../../state/describe";
import { hasServiceWorker, postToWorker } from "../../state/serviceWorker";
import { hashOfTable } from "../../state/router.svelte";
import type { GameLine } from "../../wire/types";

export type Permission = NotificationPermission | "impossible";

/** The browser's permission; `impossible` without https, and on some phones before the game is installed. */
export function permission(): Permission {
  return hasServiceWorker && "Notification" in window ? Notification.permission : "impossible";
}

/** Requests permission; call it on a click only. */
export async function requestNotifications(): Promise<Permission> {
  return permission() === "default" ? await Notification.requestPermission() : permission();
}

export async function notifyTurn({ info, seats }: Pick<GameLine, "info" | "seats">): Promise<void> {
  if (permission() !== "granted") return;
  await words.need("app");
  await postToWorker({
    type: "turn",
    tag: info.table,
    title: t("app.notify.turn"),
    body: companyText(info, seats),
    hash: hashOfTable(info.table),
  });
}
