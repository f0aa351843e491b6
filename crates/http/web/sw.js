// @ts-check
/// <reference lib="webworker" />
/**
 * The panel's worker: shows that a question waits when askd pushes, and keeps the page for when askd cannot be reached.
 *
 * It knows no question: what is pushed holds none, and answers of the API are never kept here. What is kept is only
 * used when the network gives nothing, so that a new version of askd is seen at once.
 */

const self_ = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELL = "askd-shell";
const WORDS = "askd-words";

self_.addEventListener("install", () => void self_.skipWaiting());
self_.addEventListener("activate", (event) => event.waitUntil(self_.clients.claim()));

self_.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isPage = request.mode === "navigate" && /^\/($|sign-in$|ask\/)/.test(pathname);
  const isPart = /^\/(assets|words)\/|^\/(manifest\.webmanifest|favicon\.svg)$/.test(pathname);
  if (request.method !== "GET" || origin !== self_.location.origin || !(isPage || isPart)) return;
  // Every address of a page gives the same document; a sign-in link is not to be a name in the cache. Of a part only the
  // newest edition is kept.
  const name = isPage ? "/" : pathname.replace(/^\/assets\/v-[0-9a-f]+\//, "/assets/");
  event.respondWith(networkFirst(request, name));
});

/**
 * @param {Request} request
 * @param {string} name under which it is kept
 */
async function networkFirst(request, name) {
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) {
      const cache = await caches.open(SHELL);
      await cache.put(name, answer.clone());
    }
    return answer;
  } catch (error) {
    const kept = await caches.match(name, { cacheName: SHELL });
    if (kept) return kept;
    throw error;
  }
}

// What is pushed is the same every time, and says nothing.
self_.addEventListener("push", (event) => event.waitUntil(show()));

async function show() {
  const kept = await caches.match("/push-words.json", { cacheName: WORDS });
  const words = kept ? await kept.json() : { title: "askd" };
  /** @type {NotificationOptions & {renotify: boolean}} */
  const options = {
    body: words.body,
    lang: words.lang,
    dir: words.dir,
    icon: "/assets/icons/icon-192.png",
    badge: "/assets/icons/badge-96.png",
    // One for all that waits, which rings again for each.
    tag: "askd",
    renotify: true,
  };
  await self_.registration.showNotification(words.title, options);
}

self_.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

async function open() {
  const windows = await self_.clients.matchAll({ type: "window" });
  const there = windows.find((it) => new URL(it.url).pathname === "/") ?? windows[0];
  if (!there) {
    await self_.clients.openWindow("/");
    return;
  }
  await there.focus();
  // A page that is open brings what waits into sight itself, so that nothing written in it is lost.
  there.postMessage({ waiting: true });
}
