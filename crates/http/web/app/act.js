// @ts-check
/**
 * What a person does: answer, skip, reply. Sends it, and shows what became of it where they look.
 *
 * A request that failed leaves the draft as it is and says so; trying again sends the same under the same key, so that
 * an answer that did arrive is not taken for a second one.
 */

import { askPath, call, newKey, Refused } from "./api.js";
import { answers, ownWords, withReply, withStored } from "./draft.js";
import { draftOf, forget, keep } from "./drafts.js";
import { failure, receipt, sending, speak } from "./state.js";
import { read } from "./sync.js";
import { say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */
/** @typedef {import("./state.js").Act} Act */

/** Keys of what was sent and not answered: by what was sent. */
const keys = new Map();

/** @param {Ask} ask */
export function answer(ask) {
  return send(ask, "answers", { answers: answers(draftOf(ask), ask) });
}

/** @param {Ask} ask */
export function skip(ask) {
  return send(ask, "skip", undefined);
}

/** @param {Ask} ask */
export function reply(ask) {
  return send(ask, "reply", { text: draftOf(ask).reply });
}

/**
 * @param {Ask} ask
 * @param {Act} act
 */
export function again(ask, act) {
  if (act === "answers") return answer(ask);
  return act === "skip" ? skip(ask) : reply(ask);
}

/**
 * @param {Ask} ask
 * @param {Act} act
 * @param {unknown} body
 */
async function send(ask, act, body) {
  if (sending.peek().has(ask.id)) return;
  const what = JSON.stringify([ask.id, act, body ?? null]);
  const key = keys.get(what) ?? newKey();
  keys.set(what, key);
  sending.value = new Map(sending.peek()).set(ask.id, act);
  failure.value = null;
  receipt.value = null;
  try {
    const became = await call("POST", `${askPath(ask.id)}/${act}`, { body, key });
    keys.delete(what);
    const over = became.receipt === "settled" || became.receipt === "too_late";
    const unsent = became.receipt === "too_late" ? ownWords(draftOf(ask)) : "";
    if (became.receipt === "kept" && act === "reply") {
      keep(ask.id, withStored(withReply(draftOf(ask), ""), ask, became.stored));
    }
    if (became.receipt === "settled") forget(ask.id);
    receipt.value = { ask: ask.id, kind: became.receipt, text: became.text, unsent };
    speak(became.text);
    // The event says so too, but may be slow, or not come while the stream is down.
    if (over) await read(ask.id);
  } catch (error) {
    const refused = error instanceof Refused;
    if (refused) keys.delete(what);
    if (refused && error.status === 401) return;
    if (refused && error.status === 404) {
      receipt.value = { ask: ask.id, kind: "gone", text: say("receipt-gone"), unsent: ownWords(draftOf(ask)) };
      await read(ask.id);
      return;
    }
    failure.value = { ask: ask.id, act, why: refused ? "refused" : "unreachable" };
    speak(say(refused ? "panel-not-taken" : "panel-not-sent"));
  } finally {
    const rest = new Map(sending.peek());
    rest.delete(ask.id);
    sending.value = rest;
  }
}
