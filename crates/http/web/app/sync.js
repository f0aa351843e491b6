// @ts-check
/**
 * Brings what askd knows into `state.js` and keeps it current: reads once, then follows the events.
 *
 * Does not send answers (`act.js`).
 */

import { batch } from "../vendor/signals-core/signals-core.module.js";
import { askPath, call, Refused, serverNow, whenSignedOut } from "./api.js";
import { inOrder, isOpen, merge, sessionId } from "./ask.js";
import { drafts, draftOf, forget, forgetAllBut, keep } from "./drafts.js";
import { isEmpty, ownWords, withStored } from "./draft.js";
import { follow } from "./events.js";
import * as state from "./state.js";
import { isElsewhere, summaryOf } from "./summary.js";
import { outcome } from "./outcome.js";
import { leave } from "./push.js";
import { load, preferred, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** Asks in one page of the list. */
const PAGE = 50;
/** The most that askd gives at once. */
const MOST = 200;

/** Pause before a list that could not be read is asked for again, in ms. */
const AGAIN = 3000;

/** For how long a lost connection may come back before anybody is told, in ms. */
const UNNOTICED = 1500;

let stop = () => {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let noticed;

/** Finds out who we are, and if askd knows us, starts. Rejects where askd cannot be reached. */
export async function start() {
  whenSignedOut(signedOut);
  let who;
  try {
    who = await call("GET", "/v1/me");
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      state.access.value = "out";
      return;
    }
    throw error;
  }
  await load(preferred(who.language));
  batch(() => {
    state.me.value = who;
    state.access.value = "in";
    state.link.value = "connecting";
  });
  stop();
  stop = follow({
    onOpen: (fresh) => {
      clearTimeout(noticed);
      noticed = undefined;
      state.link.value = "open";
      if (fresh || !state.loaded.peek()) void readAll();
    },
    onMessage: ({ event, data }) => {
      if (event === "resync") void readAll();
      if (event === "ask") told(JSON.parse(data));
    },
    onLost: () => {
      if (state.link.peek() === "open") state.link.value = "connecting";
      noticed ??= setTimeout(() => {
        state.link.value = "lost";
        state.speak(say("panel-lost"));
      }, UNNOTICED);
    },
    onSignedOut: signedOut,
  });
}

/** askd does not know us any more. Drafts stay for when it does again. */
function signedOut() {
  stop();
  if (state.access.peek() === "in") state.access.value = "expired";
  else if (state.access.peek() === "unknown") state.access.value = "out";
  clear();
}

/** The person leaves: nothing of theirs stays here. */
export async function signOut() {
  await call("POST", "/v1/sign-out");
  void leave();
  stop();
  forgetAllBut([]);
  drafts.value = new Map();
  state.access.value = "out";
  clear();
  state.me.value = null;
}

function clear() {
  clearTimeout(noticed);
  clearTimeout(again);
  noticed = undefined;
  batch(() => {
    state.asks.value = new Map();
    state.loaded.value = false;
    state.scope.value = null;
    state.docked.value = null;
    state.receipt.value = null;
    state.failure.value = null;
    state.older.value = new Map();
    reported.clear();
  });
}

/** Reads the open asks, all of them, and the latest of the others. */
async function readAll() {
  const at = state.route.peek();
  try {
    const [open, latest] = await Promise.all([
      call("GET", `/v1/asks?status=pending&limit=${MOST}`),
      call("GET", `/v1/asks?limit=${PAGE}`),
    ]);
    const known = state.asks.peek();
    // What we took for open and is in neither list ended long ago, or is forgotten.
    const listed = new Set([...open.asks, ...latest.asks].map((/** @type {Ask} */ ask) => ask.id));
    const fresh = [...open.asks].filter((/** @type {Ask} */ ask) => !known.has(ask.id));
    const gone = inOrder(known.values(), null).filter((ask) => isOpen(ask) && !listed.has(ask.id));
    batch(() => {
      state.asks.value = merge(known, [...latest.asks, ...open.asks]);
      if (!state.older.peek().has("")) state.older.value = new Map(state.older.peek()).set("", latest.next);
      state.loaded.value = true;
    });
    // At first the page itself tells what is open; later only what is new is said.
    if (fresh.length > 0 && known.size > 0) sayNew(fresh[0]);
    forgetAllBut(state.open.peek().map((ask) => ask.id));
    for (const ask of gone) await read(ask.id);
    if (at.name === "ask") await readPage(at.id);
  } catch {
    clearTimeout(again);
    if (state.access.peek() === "in") again = setTimeout(readAll, AGAIN);
  }
}

/**
 * Reads one ask anew.
 *
 * @param {string} id
 */
export async function read(id) {
  try {
    took(await call("GET", askPath(id)));
  } catch (error) {
    if (error instanceof Refused && error.status === 404) drop(id);
  }
}

/**
 * Reads the ask of a page of its own, unless it is known.
 *
 * @param {string} id
 */
export async function readPage(id) {
  if (!state.asks.peek().has(id)) await read(id);
  state.missing.value = state.asks.peek().has(id) ? null : id;
}

/** @param {string} id */
function drop(id) {
  const rest = new Map(state.asks.peek());
  rest.delete(id);
  state.asks.value = rest;
  forget(id);
}

/**
 * Reads older asks of the session in sight.
 */
export async function readOlder() {
  const scope = state.scope.peek();
  const key = scope ?? "";
  const session = scope === null ? null : sessionId(scope);
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (session !== null) query.set("session", session);
  const oldest = state.timeline.peek()[0];
  const cursor = state.older.peek().get(key) ?? oldest?.id;
  if (cursor) query.set("cursor", cursor);
  const page = await call("GET", `/v1/asks?${query}`);
  batch(() => {
    state.asks.value = merge(state.asks.peek(), page.asks);
    state.older.value = new Map(state.older.peek()).set(key, page.next);
  });
}

/** @param {{change: string, ask: Ask}} event */
function told({ change, ask }) {
  const before = state.asks.peek().get(ask.id);
  took(ask);
  if (change === "asked" && !before && isOpen(ask)) sayNew(ask);
}

/** @param {Ask} ask */
function sayNew(ask) {
  state.speak(say("panel-says-new", { agent: ask.agent, question: ask.questions[0].question }));
}

/**
 * Takes in what askd says of an ask, and lets go of what is over.
 *
 * @param {Ask} ask
 */
export function took(ask) {
  const before = state.asks.peek().get(ask.id);
  const ends = before !== undefined && isOpen(before) && !isOpen(ask);
  batch(() => {
    if (ends) tellEnd(ask);
    state.asks.value = merge(state.asks.peek(), [ask]);
  });
  if (!isOpen(ask)) forget(ask.id);
}

/**
 * An ask that the person had in front of them ended without their doing: say how, and give back what they had written.
 *
 * @param {Ask} ask
 */
function tellEnd(ask) {
  const mine = state.sending.peek().has(ask.id);
  const summary = summaryOf(ask);
  const elsewhere = summary.end !== "answered" || isElsewhere(summary, state.me.peek()?.name ?? "");
  if (mine || !elsewhere || state.receipt.peek()?.ask === ask.id) return;
  const text = outcome(summary);
  state.speak(text);
  if (state.docked.peek() !== ask.id) return;
  state.receipt.value = { ask: ask.id, kind: "ended", text, unsent: ownWords(draftOf(ask)) };
}

/** What was reported as seen, so that it is once per page. */
const reported = new Set();

/**
 * A visible page shows this ask: tells askd, and takes over what this person has answered already.
 *
 * @param {Ask} ask
 */
export async function seen(ask) {
  if (document.visibilityState !== "visible" || !isOpen(ask) || reported.has(ask.id)) return;
  reported.add(ask.id);
  try {
    const { stored } = await call("POST", `${askPath(ask.id)}/seen`);
    const draft = draftOf(ask);
    if (stored && Object.keys(stored).length > 0 && isEmpty(draft)) keep(ask.id, withStored(draft, ask, stored));
  } catch {
    reported.delete(ask.id);
  }
}

// The clock of the countdowns runs while there is something to count down, and is right at once on coming back.
setInterval(() => {
  if (state.open.peek().length > 0) state.now.value = serverNow();
}, 1000);
document.addEventListener("visibilitychange", () => {
  state.now.value = serverNow();
});
