// @ts-check
/**
 * One ask as a page of its own: what links in messages lead to. Open it is the panel; over, all that was asked, with
 * what was chosen.
 */

import { html, use, useEffect, useLayoutEffect, useRef } from "./view.js";
import { isOpen } from "./ask.js";
import { Values } from "./entry.js";
import { Background } from "./markdown.js";
import { Notice } from "./notice.js";
import { outcome } from "./outcome.js";
import { Panel } from "./panel.js";
import { From } from "./parts.js";
import { asks, loaded, missing, now, zone } from "./state.js";
import { summaryOf } from "./summary.js";
import { readPage } from "./sync.js";
import { moment } from "./time.js";
import { language, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** @param {{id: string}} props */
export function AskPage({ id }) {
  const ask = use(asks).get(id);
  const isLoaded = use(loaded);
  const isMissing = use(missing) === id;
  useEffect(() => {
    if (isLoaded) void readPage(id);
  }, [id, isLoaded]);
  if (!ask) {
    return html`<main class="page" data-askd="ask-page" aria-busy=${isMissing ? "false" : "true"}>
      ${isMissing && html`<div class="sheet"><h2>${say("panel-no-ask")}</h2><p>${say("panel-no-ask-more")}</p></div>`}
    </main>`;
  }
  return html`<main class="page" data-askd="ask-page">
    ${isOpen(ask) ? html`<${Panel} key=${ask.id} ask=${ask} whole />` : html`<${Over} ask=${ask} />`}
  </main>`;
}

/** @param {{ask: Ask}} props */
function Over({ ask }) {
  const summary = summaryOf(ask);
  const at = moment(summary.at, { language: use(language), zone: use(zone), now: now.peek() });
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    // What had the focus has gone with the panel.
    if (document.activeElement === document.body) sheet.current?.focus();
  }, []);
  return html`<article ref=${sheet} class="sheet over" data-askd="entry" data-ask=${ask.id} data-status=${ask.status} tabindex="-1">
    <div class="ask-head"><${From} ask=${ask} /><time class="quiet" datetime=${summary.at}>${at}</time></div>
    <${Notice} of=${(/** @type {string} */ it) => it === ask.id} />
    ${ask.context !== null && html`<details class="background"><summary>${say("panel-background")}</summary><div class="md"><${Background} ask=${ask} /></div></details>`}
    ${ask.questions.map(
      (question, index) => html`<section key=${question.id} class="over-question">
        <p class="question-head"><bdi class="question-header" dir="auto">${question.header}</bdi></p>
        <h2 class="question-text" dir="auto">${question.question}</h2>
        ${summary.questions[index].values.length > 0
          ? html`<${Values} of=${summary.questions[index].values} />`
          : html`<ul class="offered">${question.options.map((option) => html`<li key=${option.label}><bdi dir="auto">${option.label}</bdi></li>`)}</ul>`}
      </section>`,
    )}
    <p class="entry-outcome">${outcome(summary)}</p>
  </article>`;
}
