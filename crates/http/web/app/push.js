// @ts-check
/**
 * Asks the browser to wake this device when a question comes in (web push), and to stop doing so.
 *
 * What is pushed holds nothing of the question. The sentence that is shown is laid down for the service worker here,
 * in the person's language, since a worker has no catalogue.
 */

import { effect } from "../vendor/signals-core/signals-core.module.js";
import { call } from "./api.js";
import { go } from "./route.js";
import { folded, me, open, route } from "./state.js";
import { isRightToLeft, language, say } from "./words.js";

/** Where the worker looks for the words; a name in the browser's cache, not an address. */
const WORDS = "/push-words.json";

/** Under which it is kept who wanted to be notified here, so that nobody is who signs in after them. */
const WHOSE = "askd-push-whose";

export const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Registers the worker, which also keeps the page for when askd cannot be reached. */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(/** @type {string} */ (scriptUrl("/sw.js")));
  } catch {
    // Not on a plain http address other than this machine's: the page works without.
  }
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.waiting === true) showWaiting();
  });
  effect(() => {
    void layDownWords(language.value, isRightToLeft.value);
  });
  effect(() => {
    if (open.value.length === 0) void closeNotifications();
  });
  effect(() => {
    const who = me.value;
    if (who !== null) kept = keepOn(who).catch(() => {});
  });
}

/** Settles when it is known whether this device goes on being notified. */
let kept = Promise.resolve();

/**
 * Hands in anew how this device is woken, for askd forgets it with the sign-in it was of; with askd's present key, if that
 * has changed. Whoever signs in here after somebody else begins without.
 *
 * @param {import("./state.js").Me} who
 */
async function keepOn(who) {
  if (!canPush) return;
  const subscription = await subscribed();
  if (!subscription) return;
  const key = who.push?.publicKey;
  if (!key || localStorage.getItem(WHOSE) !== nameOf(who)) {
    await subscription.unsubscribe();
    return;
  }
  if (toBase64url(subscription.options.applicationServerKey) === key) await handIn(subscription);
  else {
    await subscription.unsubscribe();
    if (Notification.permission === "granted") await subscribe(key);
  }
}

/** @param {import("./state.js").Me} who */
function nameOf(who) {
  return `${who.role} ${who.person ?? who.name}`;
}

/** @param {ArrayBuffer | null} bytes */
function toBase64url(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function subscribed() {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** @param {string} publicKey */
async function subscribe(publicKey) {
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  try {
    await handIn(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** @param {PushSubscription} subscription */
async function handIn(subscription) {
  await call("POST", "/v1/push", { body: subscription.toJSON() });
}

/** A notification was tapped: brings what waits into sight. */
function showWaiting() {
  if (route.peek().name === "home") folded.value = false;
  else go("/");
}

/**
 * The page is under `require-trusted-types-for 'script'`, which covers addresses of workers.
 *
 * @param {string} path
 * @returns {unknown}
 */
function scriptUrl(path) {
  const factory = /** @type {any} */ (window).trustedTypes;
  if (!factory) return path;
  return factory.createPolicy("askd", { createScriptURL: (/** @type {string} */ it) => (it === "/sw.js" ? it : "") }).createScriptURL(path);
}

/**
 * @param {string} tongue
 * @param {boolean} rightToLeft
 */
async function layDownWords(tongue, rightToLeft) {
  if (!("caches" in window)) return;
  const words = { lang: tongue, dir: rightToLeft ? "rtl" : "ltr", title: say("panel-push-title"), body: say("panel-push-body") };
  try {
    const cache = await caches.open("askd-words");
    await cache.put(WORDS, new Response(JSON.stringify(words), { headers: { "Content-Type": "application/json" } }));
  } catch {
    // The worker then shows the name alone.
  }
}

async function closeNotifications() {
  try {
    const worker = await navigator.serviceWorker.getRegistration();
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close();
  } catch {
    // What cannot be closed stays until it is tapped.
  }
}

export async function isOn() {
  await kept;
  return (await subscribed()) !== null;
}

/**
 * @param {import("./state.js").Me} who
 * @returns {Promise<"on" | "denied">}
 */
export async function turnOn(who) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await subscribe(/** @type {{publicKey: string}} */ (who.push).publicKey);
  localStorage.setItem(WHOSE, nameOf(who));
  return "on";
}

export async function turnOff() {
  await call("DELETE", "/v1/push");
  await (await subscribed())?.unsubscribe();
}

/** The person has left, and with that askd wakes this device no more: the browser need not be ready for it either. */
export async function leave() {
  if (!canPush) return;
  try {
    localStorage.removeItem(WHOSE);
    await (await subscribed())?.unsubscribe();
    await closeNotifications();
  } catch {
    // Nobody wakes it any more, whatever the browser thinks.
  }
}
