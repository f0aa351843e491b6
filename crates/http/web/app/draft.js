// @ts-check
/**
 * What a person has chosen and written but not sent.
 *
 * Pure: every function gives a new draft. Does not know where drafts are kept (`drafts.js`) nor how they are shown.
 */

/** @typedef {import("./ask.js").Ask} Ask */
/** @typedef {import("./ask.js").Question} Question */
/** @typedef {{chosen: number[], own: string, usesOwn: boolean}} Part */
/**
 * `parts` by question id; `step` is the question in front (stepper only); `reply` is the text in the message box.
 *
 * @typedef {{parts: Record<string, Part>, step: number, reply: string}} Draft
 */

/** Longest answer in own words, in Unicode scalar values; the server refuses longer ones with a hint. */
export const LONGEST = 4000;

/** @type {Part} */
const NOTHING = { chosen: [], own: "", usesOwn: false };

/** @returns {Draft} */
export function empty() {
  return { parts: {}, step: 0, reply: "" };
}

/**
 * @param {Draft} draft
 * @param {Question} question
 * @returns {Part}
 */
export function part(draft, question) {
  return Object.hasOwn(draft.parts, question.id) ? draft.parts[question.id] : NOTHING;
}

/**
 * An option was chosen, or toggled where several can hold. Where one holds it takes the place of own words, whose text
 * is kept.
 *
 * @param {Draft} draft
 * @param {Question} question
 * @param {number} index
 */
export function choose(draft, question, index) {
  const now = part(draft, question);
  if (!question.multiSelect) return put(draft, question, { ...now, chosen: [index], usesOwn: false });
  const chosen = now.chosen.includes(index) ? now.chosen.filter((at) => at !== index) : [...now.chosen, index];
  return put(draft, question, { ...now, chosen: chosen.sort((a, b) => a - b) });
}

/**
 * Own words were typed. Where one answer holds they take the place of the choice.
 *
 * @param {Draft} draft
 * @param {Question} question
 * @param {string} own
 */
export function write(draft, question, own) {
  const now = part(draft, question);
  const usesOwn = own.trim() !== "";
  const chosen = usesOwn && !question.multiSelect ? [] : now.chosen;
  return put(draft, question, { chosen, own, usesOwn });
}

/**
 * The text that is there already is to count (again).
 *
 * @param {Draft} draft
 * @param {Question} question
 */
export function takeOwn(draft, question) {
  return write(draft, question, part(draft, question).own);
}

/**
 * @param {Draft} draft
 * @param {number} step
 */
export function goTo(draft, step) {
  return { ...draft, step };
}

/**
 * @param {Draft} draft
 * @param {string} reply
 */
export function withReply(draft, reply) {
  return { ...draft, reply };
}

/**
 * The answer as it is sent: labels character for character in declared order, then own words. Empty: no answer yet.
 *
 * @param {Draft} draft
 * @param {Question} question
 */
export function values(draft, question) {
  const { chosen, own, usesOwn } = part(draft, question);
  const labels = chosen.map((index) => question.options[index]?.label).filter((label) => label !== undefined);
  return usesOwn ? [...labels, own.trim()] : labels;
}

/**
 * How many characters too many its own words have; 0 where they fit.
 *
 * @param {Draft} draft
 * @param {Question} question
 */
export function excess(draft, question) {
  const { own, usesOwn } = part(draft, question);
  return usesOwn ? Math.max(0, [...own.trim()].length - LONGEST) : 0;
}

/**
 * @param {Draft} draft
 * @param {Question} question
 */
export function isReady(draft, question) {
  return values(draft, question).length > 0 && excess(draft, question) === 0;
}

/**
 * Places of the questions that cannot be sent yet.
 *
 * @param {Draft} draft
 * @param {Ask} ask
 */
export function unready(draft, ask) {
  return ask.questions.flatMap((question, at) => (isReady(draft, question) ? [] : [at]));
}

/**
 * The body of the request.
 *
 * @param {Draft} draft
 * @param {Ask} ask
 * @returns {Record<string, string[]>}
 */
export function answers(draft, ask) {
  return Object.fromEntries(ask.questions.map((question) => [question.id, values(draft, question)]));
}

/**
 * The own words in it, for giving them back when they can no longer be sent.
 *
 * @param {Draft} draft
 */
export function ownWords(draft) {
  const texts = [...Object.values(draft.parts).map((it) => it.own), draft.reply];
  return texts.map((text) => text.trim()).filter((text) => text !== "").join("\n\n");
}

/** @param {Draft} draft */
export function isEmpty(draft) {
  const parts = Object.values(draft.parts);
  return draft.reply === "" && parts.every((it) => it.chosen.length === 0 && it.own === "");
}

/**
 * The draft with what this person has answered already, elsewhere or earlier, in the place of what was chosen for those
 * questions; at the first question that is still open.
 *
 * @param {Draft} draft
 * @param {Ask} ask
 * @param {Record<string, string[]>} stored
 */
export function withStored(draft, ask, stored) {
  for (const question of ask.questions) {
    const given = Object.hasOwn(stored, question.id) ? stored[question.id] : [];
    const labels = question.options.map((option) => option.label);
    const own = given.filter((value) => !labels.includes(value)).join("\n");
    const chosen = labels.flatMap((label, index) => (given.includes(label) ? [index] : []));
    if (given.length > 0) draft = put(draft, question, { chosen, own, usesOwn: own !== "" });
  }
  return goTo(draft, unready(draft, ask)[0] ?? ask.questions.length - 1);
}

/**
 * Reads what was kept. Anything that no longer fits the ask is left out: a draft is never a reason to fail.
 *
 * @param {unknown} kept
 * @param {Ask} ask
 */
export function revive(kept, ask) {
  let draft = empty();
  if (!isRecord(kept)) return draft;
  const parts = isRecord(kept.parts) ? kept.parts : {};
  for (const question of ask.questions) {
    const it = Object.hasOwn(parts, question.id) ? parts[question.id] : null;
    if (!isRecord(it)) continue;
    const fits = (/** @type {unknown} */ at) => Number.isInteger(at) && Number(at) >= 0 && Number(at) < question.options.length;
    const chosen = Array.isArray(it.chosen) ? it.chosen.filter(fits).map(Number) : [];
    const own = typeof it.own === "string" ? it.own : "";
    draft = put(draft, question, { chosen, own, usesOwn: it.usesOwn === true && own.trim() !== "" });
  }
  const last = ask.questions.length - 1;
  const step = Number.isInteger(kept.step) ? Math.min(Math.max(Number(kept.step), 0), last) : 0;
  return { ...draft, step, reply: typeof kept.reply === "string" ? kept.reply : "" };
}

/**
 * @param {Draft} draft
 * @param {Question} question
 * @param {Part} it
 * @returns {Draft}
 */
function put(draft, question, it) {
  return { ...draft, parts: { ...draft.parts, [question.id]: it } };
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
