// @ts-check
/**
 * Small parts that panel, bar and timeline share: who asks, what is left, and the way between several open asks.
 */

import { html, use, useEffect, useRef } from "./view.js";
import { sessionName } from "./ask.js";
import { Icon } from "./icons.js";
import { dock, docked, now, openInScope, speak, zone } from "./state.js";
import { clock, isUrgent, left, minutes, moment, passesLastMinute } from "./time.js";
import { language, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** @param {{ask: Ask}} props */
export function From({ ask }) {
  return html`<p class="from">
    <bdi class="from-agent" dir="auto">${ask.agent}</bdi>
    ${ask.session && html`<span class="from-session"><bdi dir="auto">${sessionName(ask)}</bdi></span>`}
  </p>`;
}

/**
 * What is left. A screen reader can read it, but is told by itself only once, a minute before the end.
 *
 * @param {{ask: Ask}} props
 */
export function Countdown({ ask }) {
  const ms = left(ask.deadline, use(now));
  const tongue = use(language);
  const before = useRef(ms);
  useEffect(() => {
    if (passesLastMinute(before.current, ms)) speak(say("panel-last-minute", { agent: ask.agent }));
    before.current = ms;
  }, [ms]);
  const until = moment(ask.deadline, { language: tongue, zone: use(zone), now: now.peek() });
  return html`<span
    class=${isUrgent(ms) ? "countdown urgent" : "countdown"}
    data-askd="countdown"
    role="timer"
    aria-live="off"
    aria-label=${say("panel-left", { minutes: minutes(ms) })}
    title=${say("prompt-until", { when: until })}
  >
    <${Icon} of="clock" />
    <span>${clock(ms, tongue)}</span>
  </span>`;
}

/** Between the open asks in sight, where there are several. */
export function Pager() {
  const among = use(openInScope);
  const id = use(docked);
  const at = among.findIndex((ask) => ask.id === id);
  if (among.length < 2) return null;
  /** @param {number} way */
  const go = (way) => dock(among[(at + way + among.length) % among.length].id);
  return html`<div class="pager" role="group" aria-label=${say("panel-open-asks")}>
    <button type="button" class="icon-button" data-askd="previous-ask" aria-label=${say("panel-previous-ask")} title=${say("panel-previous-ask")} onClick=${() => go(-1)}>
      <${Icon} of="back" mirrored />
    </button>
    <span class="pager-at">${say("panel-step", { step: at + 1, of: among.length })}</span>
    <button type="button" class="icon-button" data-askd="next-ask" aria-label=${say("panel-next-ask")} title=${say("panel-next-ask")} onClick=${() => go(1)}>
      <${Icon} of="onward" mirrored />
    </button>
  </div>`;
}
