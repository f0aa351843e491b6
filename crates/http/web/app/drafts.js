// @ts-check
/**
 * Keeps drafts in this browser, by person and ask, until the ask is settled or the person signs out.
 *
 * Where the browser keeps nothing (private mode, no room) drafts live as long as the page.
 */

import { signal } from "../vendor/signals-core/signals-core.module.js";
import { empty, isEmpty, revive } from "./draft.js";
import { me } from "./state.js";

/** @typedef {import("./ask.js").Ask} Ask */
/** @typedef {import("./draft.js").Draft} Draft */

const PREFIX = "askd.draft.";

/** @type {import("../vendor/signals-core/signals-core.module.js").Signal<ReadonlyMap<string, Draft>>} */
export const drafts = signal(new Map());

function prefix() {
  const who = me.peek();
  return `${PREFIX}${who?.person ?? `operator:${who?.name ?? ""}`}.`;
}

/**
 * The draft for this ask; the kept one, or an empty one.
 *
 * @param {Ask} ask
 */
export function draftOf(ask) {
  const here = drafts.peek().get(ask.id);
  if (here) return here;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(prefix() + ask.id) ?? "null");
  } catch {
    // What cannot be read is no draft.
  }
  return kept === null ? empty() : revive(kept, ask);
}

/**
 * @param {string} id
 * @param {Draft} draft
 */
export function keep(id, draft) {
  drafts.value = new Map(drafts.peek()).set(id, draft);
  try {
    if (isEmpty(draft) && draft.step === 0) localStorage.removeItem(prefix() + id);
    else localStorage.setItem(prefix() + id, JSON.stringify(draft));
  } catch {
    // See above.
  }
}

/** @param {string} id */
export function forget(id) {
  if (drafts.peek().has(id)) {
    const rest = new Map(drafts.peek());
    rest.delete(id);
    drafts.value = rest;
  }
  try {
    localStorage.removeItem(prefix() + id);
  } catch {
    // See above.
  }
}

/**
 * Forgets all drafts of this person but those for these asks.
 *
 * @param {readonly string[]} ids
 */
export function forgetAllBut(ids) {
  const keys = ids.map((id) => prefix() + id);
  for (const key of keptKeys(prefix())) {
    if (!keys.includes(key)) forget(key.slice(prefix().length));
  }
}

/** @param {string} start */
function keptKeys(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(start));
  } catch {
    return [];
  }
}
