// @ts-check
/**
 * A text field of as many lines as are written in it. What Enter means is for whoever uses it.
 */

import { html, useLayoutEffect, useRef } from "./view.js";

/** Browsers that do it by themselves (CSS Basic User Interface 4, `field-sizing`). */
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content");

/** @param {Record<string, unknown> & {value: string, onText: (text: string) => void, field?: {current: HTMLTextAreaElement | null}}} props */
export function TextField({ value, onText, field, ...rest }) {
  const own = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const at = field ?? own;
  useLayoutEffect(() => {
    if (GROWS_BY_ITSELF || !at.current) return;
    at.current.style.blockSize = "auto";
    at.current.style.blockSize = `${at.current.scrollHeight + 2}px`;
  }, [value]);
  // An empty field with `dir="auto"` is left to right, and so would be its placeholder.
  return html`<textarea
    ref=${at}
    rows="1"
    dir=${value === "" ? undefined : "auto"}
    value=${value}
    onInput=${(/** @type {InputEvent} */ event) => onText(/** @type {HTMLTextAreaElement} */ (event.target).value)}
    ...${rest}
  ></textarea>`;
}
