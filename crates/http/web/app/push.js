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
import { asks, dock, folded, open, route } from "./state.js";
import { isRightToLeft, language, say } from "./words.js";

/** Where the worker looks for the words; a name in the browser's cache, not an address. */
const WORDS = "/push-words.json";

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
    if (typeof data?.go === "string") goTo(data.go);
  });
  effect(() => {
    void layDownWords(language.value, isRightToLeft.value);
  });
  effect(() => {
    if (open.value.length === 0) void closeNotifications();
  });
}

/**
 * A notification was tapped: brings its ask into sight, here if it is here.
 *
 * @param {string} path
 */
function goTo(path) {
  const id = path.startsWith("/ask/") ? path.slice("/ask/".length) : "";
  if (route.peek().name === "home" && asks.peek().has(id)) {
    dock(id);
    folded.value = false;
  } else if (path.startsWith("/")) go(path);
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
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) != null;
}

/**
 * @param {string} publicKey base64url, of askd
 * @returns {Promise<"on" | "denied">}
 */
export async function turnOn(publicKey) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  try {
    await call("POST", "/v1/push", { body: subscription.toJSON() });
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  return "on";
}

export async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return;
  await call("DELETE", "/v1/push", { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}
