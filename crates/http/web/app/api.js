// @ts-check
/**
 * Calls to askd.
 *
 * Turns every failure into one of two: askd answered and said no (`Refused`), or did not answer (`Unreachable`). Does
 * not know what either means to whoever called.
 */

import { language } from "./words.js";

/** How long askd may take for an answer, in ms. */
const PATIENCE = 20_000;

/** askd said no. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} kind the problem's `type`
   */
  constructor(status, kind) {
    super(`refused with ${status}`);
    this.status = status;
    this.kind = kind;
  }
}

/** askd did not answer: what was sent may have arrived or not. */
export class Unreachable extends Error {}

/** @typedef {"GET" | "POST" | "DELETE"} Method */

/** How far askd's clock is ahead of ours, in ms; as exact as its `Date` header, which has whole seconds. */
let ahead = 0;

/** What time it is for askd. */
export function serverNow() {
  return Date.now() + ahead;
}

/** @type {() => void} */
let onSignedOut = () => {};

/**
 * What to do when askd no longer knows us.
 *
 * @param {() => void} what
 */
export function whenSignedOut(what) {
  onSignedOut = what;
}

/** Headers of every call; the first is also what a page of another origin cannot send. */
export function headers() {
  return { "Askd-Client": "panel", "Accept-Language": language.peek() };
}

/**
 * @param {Method} method
 * @param {string} path
 * @param {{body?: unknown, key?: string}} [more] `key` makes a repeat of the same call harmless
 * @returns {Promise<any>} the body, or null where there is none
 */
export async function call(method, path, { body, key } = {}) {
  /** @type {Record<string, string>} */
  const sent = headers();
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (key !== undefined) sent["Idempotency-Key"] = key;
  let answer;
  let read;
  try {
    answer = await fetch(path, {
      method,
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    read = answer.status === 204 ? null : await answer.json().catch(() => null);
  } catch {
    throw new Unreachable("no answer");
  }
  setClock(answer.headers.get("Date"));
  if (answer.ok) return read;
  if (answer.status === 401 && path !== "/v1/sign-in") onSignedOut();
  throw new Refused(answer.status, String(read?.type ?? ""));
}

/** @param {string | null} date */
function setClock(date) {
  const theirs = Date.parse(date ?? "");
  // Within the rounding of the header our clocks agree.
  if (Number.isFinite(theirs)) ahead = Math.abs(theirs - Date.now()) < 2000 ? 0 : theirs - Date.now();
}

/** A key for one intention of a person. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} id */
export function askPath(id) {
  return `/v1/asks/${encodeURIComponent(id)}`;
}
