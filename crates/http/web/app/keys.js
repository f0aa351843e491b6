// @ts-check
/**
 * What a key means while a question is open, and what stands on the key caps beside the options.
 *
 * Pure. Does not know the page; whoever calls says where the key was pressed.
 */

/** @typedef {{kind: "choose", index: number} | {kind: "onward"} | {kind: "fold"}} Intent */
/**
 * Of a KeyboardEvent, what matters.
 *
 * @typedef {object} Key
 * @property {string} key
 * @property {number} [keyCode]
 * @property {boolean} [isComposing]
 * @property {boolean} [ctrlKey]
 * @property {boolean} [metaKey]
 * @property {boolean} [altKey]
 * @property {boolean} [shiftKey]
 * @property {boolean} [repeat]
 */

/** Lettered markers, the sets in the order in which they are tried; as in messages. */
const LETTERS = ["ABCD", "PQRS", "WXYZ"];

/**
 * Whether an input method has the key: then it is nobody else's. 229 is what browsers send that do not say so.
 *
 * @param {Key} event
 */
export function isComposing(event) {
  return event.isComposing === true || event.keyCode === 229;
}

/**
 * @param {Key} event
 * @param {{inText: boolean, onControl: boolean, marks: readonly string[]}} where in a text field; on a button or a
 *   link, which have their own use for Enter; the caps of the question in front, that of "other" last
 * @returns {Intent | null}
 */
export function intent(event, { inText, onControl, marks }) {
  if (isComposing(event)) return null;
  if (event.key === "Enter") {
    if (event.repeat || event.altKey || event.shiftKey) return null;
    if (event.ctrlKey || event.metaKey) return { kind: "onward" };
    return inText || onControl ? null : { kind: "onward" };
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "Escape") return event.repeat ? null : { kind: "fold" };
  if (inText || event.repeat) return null;
  const index = marks.indexOf(asciiDigits(event.key).toUpperCase());
  return index < 0 ? null : { kind: "choose", index };
}

/**
 * Whether this Enter sends what was typed.
 *
 * @param {Key} event
 */
export function sends(event) {
  return event.key === "Enter" && !event.shiftKey && !event.altKey && !event.repeat && !isComposing(event);
}

/**
 * Which way an arrow key goes in a list: 1 onward, -1 back, 0 for another key.
 *
 * @param {Key} event
 * @param {boolean} rightToLeft
 */
export function direction(event, rightToLeft) {
  if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return 0;
  switch (event.key) {
    case "ArrowDown":
      return 1;
    case "ArrowUp":
      return -1;
    case "ArrowRight":
      return rightToLeft ? -1 : 1;
    case "ArrowLeft":
      return rightToLeft ? 1 : -1;
    default:
      return 0;
  }
}

/**
 * The caps for each option and for own words. Numbers, but letters where a label begins with a number that is not its
 * own place: then a number could be taken for the label.
 *
 * @param {readonly string[]} labels
 * @returns {string[]}
 */
export function marks(labels) {
  const misleads = labels.some((label, index) => {
    const number = /^\d+/.exec(asciiDigits(label.normalize("NFKC")));
    return number !== null && Number(number[0]) !== index + 1;
  });
  if (!misleads) return [...labels, ""].map((_, index) => String(index + 1));
  const taken = labels.map((label) => label.trim().toUpperCase());
  const set = LETTERS.find((letters) => ![...letters].some((letter) => taken.includes(letter))) ?? LETTERS[0];
  return [...[...set].slice(0, labels.length), "O"];
}

/**
 * Digits of Persian and Arabic keyboards as ASCII.
 *
 * @param {string} text
 */
function asciiDigits(text) {
  return text.replace(/[\u06F0-\u06F9\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
