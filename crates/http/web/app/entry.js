// @ts-check
/**
 * One ask in the timeline: a line while it is open, a compact summary for ever after.
 */

import { html, use, useRef } from "./view.js";
import { isOpen, sessionName } from "./ask.js";
import { Icon } from "./icons.js";
import { outcome } from "./outcome.js";
import { Countdown } from "./parts.js";
import { followLink } from "./route.js";
import { useSeen } from "./seen.js";
import { dock, docked, folded, now, scope, zone } from "./state.js";
import { splitMarker, summaryOf } from "./summary.js";
import { moment } from "./time.js";
import { language, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** @type {Record<import("./ask.js").Status, keyof typeof import("./icons.js").PATHS>} */
const SIGNS = {
  pending: "waiting",
  answered: "check",
  skipped: "skip",
  expired: "clock",
  cancelled: "cross",
  undelivered: "lost",
};

/** @param {{ask: Ask}} props */
export function Entry({ ask }) {
  return isOpen(ask) ? html`<${Waiting} ask=${ask} />` : html`<${Settled} ask=${ask} />`;
}

/** @param {{ask: Ask}} props */
function Waiting({ ask }) {
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  const isDocked = use(docked) === ask.id;
  // What stands in full below is not said twice.
  const isBelow = !use(folded) && isDocked;
  useSeen(ask, line);
  const open = () => {
    dock(ask.id);
    folded.value = false;
  };
  return html`<article ref=${line} class="entry waiting" data-askd="entry" data-ask=${ask.id} data-status=${ask.status} tabindex="-1">
    <span class="entry-sign"><${Icon} of=${SIGNS.pending} /></span>
    <div class="entry-body">
      <${Head} ask=${ask} at=${ask.createdAt} />
      ${!isBelow && ask.questions.map((question) => html`<p key=${question.id} class="entry-question" dir="auto">${question.question}</p>`)}
      <p class="entry-foot">
        ${isDocked
          ? html`<span class="entry-open">${say("panel-waits-below")}</span>`
          : html`<button type="button" class="button small" data-askd="open-ask" onClick=${open}>${say("panel-answer-this")}</button>`}
        ${!isDocked && html`<${Countdown} ask=${ask} />`}
      </p>
    </div>
  </article>`;
}

/** @param {{ask: Ask}} props */
function Settled({ ask }) {
  const summary = summaryOf(ask);
  return html`<article class="entry" data-askd="entry" data-ask=${ask.id} data-status=${ask.status} tabindex="-1">
    <span class="entry-sign"><${Icon} of=${SIGNS[ask.status]} /></span>
    <div class="entry-body">
      <${Head} ask=${ask} at=${summary.at} />
      ${summary.questions.map(
        (question) => html`<div key=${question.id} class="entry-pair">
          <p class="entry-question" dir="auto">${question.question}</p>
          ${question.values.length > 0 && html`<${Values} of=${question.values} />`}
        </div>`,
      )}
      <p class="entry-foot entry-outcome">${outcome(summary)}</p>
    </div>
  </article>`;
}

/** @param {{of: import("./summary.js").Value[]}} props */
export function Values({ of }) {
  return html`<ul class="values">
    ${of.map((value, at) => {
      if (value.own) return html`<li key=${at} class="value own"><q dir="auto">${value.text}</q></li>`;
      const [label, marker] = splitMarker(value.text, say("word-recommended"));
      return html`<li key=${at} class="value"><bdi dir="auto">${label}<span class="marker">${marker}</span></bdi></li>`;
    })}
  </ul>`;
}

/** @param {{ask: Ask, at: string}} props */
function Head({ ask, at }) {
  const showsSession = use(scope) === null && ask.session !== null;
  const tongue = use(language);
  return html`<p class="entry-head">
    <bdi class="from-agent" dir="auto">${ask.agent}</bdi>
    ${showsSession && html`<span class="from-session"><bdi dir="auto">${sessionName(ask)}</bdi></span>`}
    <a class="entry-when" href=${`/ask/${encodeURIComponent(ask.id)}`} onClick=${followLink}>
      <time datetime=${at}>${moment(at, { language: tongue, zone: use(zone), now: now.peek() })}</time>
    </a>
  </p>`;
}
