// @ts-check
/**
 * Declines the whole ask, in two deliberate steps: there is no way back, and the agent goes on without an answer.
 *
 * The second step has to be another movement than the first: it appears in another place, after a moment, and the
 * focus waits on the harmless one. So neither a double tap nor a held key declines.
 */

import { html, useEffect, useRef, useState } from "./view.js";
import * as act from "./act.js";
import { say } from "./words.js";

/** For how long after the first step the second does nothing, in ms. */
const BREATH = 400;

/** @param {{ask: import("./ask.js").Ask, busy: boolean, onAsk: (asked: boolean) => void}} props */
export function SkipButton({ ask, busy, onAsk }) {
  const [asked, setAsked] = useState(0);
  const harmless = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const wasAsked = useRef(false);
  useEffect(() => {
    if (asked > 0) harmless.current?.focus();
    else if (wasAsked.current) first.current?.focus();
    if (wasAsked.current !== asked > 0) onAsk(asked > 0);
    wasAsked.current = asked > 0;
  }, [asked]);
  if (asked === 0) {
    return html`<button ref=${first} type="button" class="button quiet" data-askd="skip" aria-disabled=${busy ? "true" : undefined} onClick=${() => setAsked(Date.now())}>
      ${say("prompt-skip")}
    </button>`;
  }
  const confirm = () => {
    if (busy || Date.now() - asked < BREATH) return;
    setAsked(0);
    void act.skip(ask);
  };
  return html`<div
    class="skip-sure"
    role="group"
    aria-label=${say("panel-skip-sure", { count: ask.questions.length })}
    onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setAsked(0);
    }}
  >
    <p class="skip-why">${say("panel-skip-sure", { count: ask.questions.length })}</p>
    <button ref=${harmless} type="button" class="button" data-askd="skip-keep" onClick=${() => setAsked(0)}>${say("panel-skip-keep")}</button>
    <button type="button" class="button danger" data-askd="skip-confirm" aria-disabled=${busy ? "true" : undefined} onClick=${confirm}>${say("panel-skip-confirm")}</button>
  </div>`;
}
