/**
 * The service worker: offline cache and turn notifications. The page comes from the server if that answers in
 * time; files with a digest in their name are cached for ever; responses about games are never cached.
 */
import type { CacheManifest, ToPage, ToWorker } from "./protocol";

declare const __KEPT__: CacheManifest;

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  resultingClientId: string;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerMessageEvent extends WorkerEvent {
  data: ToWorker;
  source: { id: string } | null;
}
interface WorkerNotificationEvent extends WorkerEvent {
  notification: Notification;
}
interface Window {
  id: string;
  url: string;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: ToPage): void;
}
interface Clients {
  claim(): Promise<void>;
  get(id: string): Promise<Window | undefined>;
  matchAll(which: { type: "window"; includeUncontrolled: boolean }): Promise<Window[]>;
  openWindow(url: string): Promise<unknown>;
}
interface Worker {
  clients: Clients;
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: WorkerNotificationEvent) => void): void;
  addEventListener(type: "message", listener: (event: WorkerMessageEvent) => void): void;
}
const worker = self as unknown as Worker;

const KEPT = __KEPT__;
const PAGE = "/";
const PREFIX = "royalcrypt-";
const language = new URL(location.href).searchParams.get("language") ?? "en";
const NAME = `${PREFIX}${KEPT.version}-${language}`;
/** Milliseconds after which the cached page is shown; a newer one is announced later. */
const TIMEOUT = 3000;

const isAsset = (path: string): boolean => path.startsWith("/assets/");

worker.addEventListener("install", (event) => event.waitUntil(cacheAll().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) =>
  event.waitUntil(deleteOldCaches().then(() => worker.clients.claim())),
);

/** All files or none, so that builds do not mix. */
async function cacheAll(): Promise<void> {
  const cache = await caches.open(NAME);
  const page = await fetch(PAGE, { cache: "no-cache" });
  if ((await digestOf(page.clone())) !== KEPT.page) throw new Error("The server has another page by now.");
  const wanted = [...KEPT.shared, ...(KEPT.languages[language] ?? [])];
  await Promise.all(
    wanted.map(async (path) => {
      const answer = (isAsset(path) && (await caches.match(path))) || (await fetch(path));
      if (!answer.ok) throw new Error(`${path} is not there.`);
      await cache.put(path, answer);
    }),
  );
  await cache.put(PAGE, page);
}

async function digestOf(answer: Response): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps the previous build for pages that are still open. */
async function deleteOldCaches(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (isAsset(pathname)) event.respondWith(cacheFirst(request));
  else if (pathname === PAGE && request.mode === "navigate") event.respondWith(networkFirst(event));
  else if (KEPT.shared.includes(pathname)) event.respondWith(fetch(request).catch(() => fromCache(pathname)));
});

async function fromCache(path: string): Promise<Response> {
  return (await (await caches.open(NAME)).match(path)) ?? Response.error();
}

async function cacheFirst(request: Request): Promise<Response> {
  const found = await caches.match(request, { ignoreVary: true });
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) await (await caches.open(NAME)).put(request, fresh.clone());
  return fresh;
}

async function networkFirst(event: WorkerFetchEvent): Promise<Response> {
  const fresh = fetch(event.request);
  const soon = fresh.then((answer) => (answer.ok ? answer : null)).catch(() => null);
  const timely = await Promise.race([soon, new Promise<null>((end) => setTimeout(end, TIMEOUT, null))]);
  if (timely) return timely;
  const old = await fromCache(PAGE);
  if (old.type === "error") return fresh;
  event.waitUntil(soon.then((answer) => reportIfOutdated(event.resultingClientId, old, answer)));
  return old.clone();
}

async function reportIfOutdated(client: string, old: Response, fresh: Response | null): Promise<void> {
  if (!fresh || fresh.headers.get("etag") === old.headers.get("etag")) return;
  await worker.registration.update();
  (await worker.clients.get(client))?.postMessage({ type: "outdated" });
}

worker.addEventListener("message", (event) => {
  const { data, source } = event;
  event.waitUntil(data.type === "turn" ? notifyTurn(data, source?.id) : dismissNotification(data.tag));
});

async function windows(): Promise<Window[]> {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => new URL(url).pathname === PAGE);
}

/** Notifies once for all open pages; not while the user views another one, and not again before the user has. */
async function notifyTurn(
  { tag, title, body, hash }: ToWorker & { type: "turn" },
  notifier: string | undefined,
): Promise<void> {
  const others = (await windows()).filter(({ id }) => id !== notifier);
  if (others.some(({ visibilityState }) => visibilityState === "visible")) return;
  if ((await worker.registration.getNotifications({ tag })).length > 0) return;
  await worker.registration.showNotification(title, { tag, body, icon: "/icon-192.png", data: hash });
}

async function dismissNotification(tag: string): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}

worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(goTo(String(notification.data)));
});

async function goTo(hash: string): Promise<void> {
  const open = await windows();
  const there = open.find(({ url }) => new URL(url).hash.startsWith(hash)) ?? open[0];
  if (!there) return void (await worker.clients.openWindow(`${PAGE}${hash}`));
  there.postMessage({ type: "go", hash });
  await there.focus();
}
