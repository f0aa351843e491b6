// @ts-check
/**
 * What remains of an ask in the timeline: question and answer, who, where and when; or how it ended without one.
 *
 * Pure. Does not know the words it is put in.
 */

/** @typedef {import("./ask.js").Ask} Ask */
/** @typedef {{text: string, own: boolean}} Value */
/**
 * @typedef {object} Summary
 * @property {import("./ask.js").Status} end
 * @property {{id: string, header: string, question: string, values: Value[]}[]} questions
 * @property {string | null} who
 * @property {string | null} channel
 * @property {string} at RFC 3339; the end where it is known, else the latest it can have been
 */

/**
 * @param {Ask} ask
 * @returns {Summary}
 */
export function summaryOf(ask) {
  const given = ask.result?.answers?.answers ?? {};
  const by = ask.result?.settledBy ?? ask.settledBy ?? null;
  return {
    end: ask.status,
    questions: ask.questions.map(({ id, header, question, options }) => ({
      id,
      header,
      question,
      values: (Object.hasOwn(given, id) ? given[id] : []).map((text) => ({
        text,
        own: !options.some((option) => option.label === text),
      })),
    })),
    who: by?.name ?? null,
    channel: by?.channel ?? null,
    at: ask.result?.settledAt ?? ask.settledAt ?? (ask.status === "expired" ? ask.deadline : ask.createdAt),
  };
}

/**
 * Whether it was answered by somebody else or on another surface than this page.
 *
 * @param {Summary} summary
 * @param {string} me the name under which this page answers
 */
export function isElsewhere(summary, me) {
  return summary.who !== null && (summary.who !== me || summary.channel !== "panel");
}

/**
 * A label in two parts, so that the marker of a recommended option can be shown more quietly. Together they are the
 * label, character for character.
 *
 * @param {string} label
 * @param {string} markers alternatives as the catalogue has them, separated by `|`
 * @returns {[string, string]}
 */
export function splitMarker(label, markers) {
  for (const marker of markers.split("|").map((it) => it.trim()).filter((it) => it !== "")) {
    const at = label.length - marker.length;
    if (at > 0 && label.slice(at).toLowerCase() === marker.toLowerCase()) return [label.slice(0, at), label.slice(at)];
  }
  return [label, ""];
}
