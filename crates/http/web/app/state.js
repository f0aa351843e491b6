// @ts-check
/**
 * What the page knows, as signals, and what follows from it.
 *
 * Nothing here calls askd or touches the page; `sync.js` and `act.js` write, components read.
 */

import { computed, effect, signal } from "../vendor/signals-core/signals-core.module.js";
import { dockNext, inOrder, isOpen, sessionsOf } from "./ask.js";
import { knownZone } from "./time.js";
import { serverNow } from "./api.js";

/** @typedef {import("./ask.js").Ask} Ask */
/**
 * @typedef {object} Me
 * @property {"person" | "operator"} role
 * @property {string} name
 * @property {string | null} person
 * @property {string | null} language
 * @property {string | null} timeZone
 * @property {string[]} [languages]
 * @property {{publicKey: string} | null} push
 */
/** @typedef {{name: "home"} | {name: "ask", id: string} | {name: "sign-in"}} Route */
/**
 * What became of something the person did, or what happened to the ask they were at. `unsent`: their own words that
 * can no longer be sent.
 *
 * @typedef {{ask: string, kind: string, text: string, unsent: string}} Receipt
 */
/** @typedef {"answers" | "skip" | "reply"} Act */
/** @typedef {{ask: string, act: Act, why: "unreachable" | "refused"}} Failure */

/**
 * @template T
 * @param {T} value
 * @returns {import("../vendor/signals-core/signals-core.module.js").Signal<T>}
 */
const of = (value) => signal(value);

/** Whether we are signed in; `expired`: we were. */
export const access = of(/** @type {"unknown" | "in" | "out" | "expired"} */ ("unknown"));
export const me = of(/** @type {Me | null} */ (null));
export const route = of(/** @type {Route} */ ({ name: "home" }));
export const link = of(/** @type {"connecting" | "open" | "lost"} */ ("connecting"));
/** Whether the asks were read since signing in. */
export const loaded = of(false);

export const asks = of(/** @type {ReadonlyMap<string, Ask>} */ (new Map()));
/** Where the list of older asks goes on, by session key; `""` for all; null: that was all. */
export const older = of(/** @type {ReadonlyMap<string, string | null>} */ (new Map()));
/** An ask of its own page that there is not, or not for this person. */
export const missing = of(/** @type {string | null} */ (null));

/** The session in sight; null: all of them. */
export const scope = of(/** @type {string | null} */ (null));
/** Whether the panel is folded to a bar. */
export const folded = of(false);
/** The ask that the panel, or the bar, is about. */
export const docked = of(/** @type {string | null} */ (null));
/** When the docked ask last changed without the person's doing, in ms. */
export const dockedAt = of(0);

export const receipt = of(/** @type {Receipt | null} */ (null));
export const failure = of(/** @type {Failure | null} */ (null));
/** What is under way, by ask. */
export const sending = of(/** @type {ReadonlyMap<string, Act>} */ (new Map()));
/** What a screen reader is to say next. `n` makes two equal sentences two. */
export const spoken = of({ text: "", n: 0 });

/** What time it is for askd, in ms; moves once a second while something is open. */
export const now = of(serverNow());

export const open = computed(() => inOrder(asks.value.values(), null).filter(isOpen));
export const openInScope = computed(() => inOrder(asks.value.values(), scope.value).filter(isOpen));
export const sessions = computed(() => sessionsOf(asks.value.values()));
export const timeline = computed(() => inOrder(asks.value.values(), scope.value));
export const dockedAsk = computed(() => asks.value.get(docked.value ?? "") ?? null);
export const zone = computed(() => knownZone(me.value?.timeZone));

/** For how long after the dock changed by itself keys and taps are not taken for the new ask, in ms. */
const SURPRISE = 500;

/** Whether the person can have meant the ask that is docked. */
export function isSettledIn() {
  return Date.now() - dockedAt.peek() > SURPRISE;
}

/** @param {string} text */
export function speak(text) {
  spoken.value = { text, n: spoken.peek().n + 1 };
}

/**
 * The person goes to an open ask.
 *
 * @param {string} id
 */
export function dock(id) {
  docked.value = id;
  dockedAt.value = 0;
  failure.value = null;
  receipt.value = null;
}

// Keeps an open ask docked. It follows from the asks, yet is no computed value: it depends on what was docked before.
effect(() => {
  const at = route.value;
  const within = at.name === "ask" ? open.value.filter((ask) => ask.id === at.id) : openInScope.value;
  const next = dockNext(within, docked.peek());
  if (next !== docked.peek()) {
    if (docked.peek() !== null && next !== null) dockedAt.value = Date.now();
    docked.value = next;
  }
  if (open.value.length === 0) folded.value = false;
});
