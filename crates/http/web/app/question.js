// @ts-check
/**
 * One question: its options as rows to choose from, and a field for own words.
 *
 * Knows drafts, not askd: what is chosen here is not sent here.
 */

import { html, use, useRef } from "./view.js";
import { choose, excess, part, takeOwn, write } from "./draft.js";
import { draftOf, keep } from "./drafts.js";
import { direction, marks } from "./keys.js";
import { splitMarker } from "./summary.js";
import { TextField } from "./text-field.js";
import { isRightToLeft, number, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** From this many characters on a question is text to be read, not a heading. */
const LONG = 200;

/**
 * @param {{ask: Ask, at: number, note: string | null, titled: boolean}} props `at`: place of the question; `note`:
 *   what is still missing here; `titled`: the header is not said elsewhere
 */
export function Question({ ask, at, note, titled }) {
  const question = ask.questions[at];
  const draft = draftOf(ask);
  const mine = part(draft, question);
  const rightToLeft = use(isRightToLeft);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const several = question.multiSelect;
  const caps = marks(question.options.map((option) => option.label));
  const id = (/** @type {string | number} */ what) => `q-${ask.id}-${at}-${what}`;
  const pick = (/** @type {number} */ index) => keep(ask.id, choose(draftOf(ask), question, index));

  const onKey = (/** @type {KeyboardEvent} */ event, /** @type {number} */ index) => {
    const way = direction(event, rightToLeft);
    if (way !== 0) {
      event.preventDefault();
      const next = (index + way + question.options.length) % question.options.length;
      if (!several) pick(next);
      /** @type {HTMLElement | undefined} */ (list.current?.children[next])?.focus();
    } else if (event.key === " ") {
      event.preventDefault();
      if (!event.repeat) pick(index);
    }
  };

  const rows = question.options.map((option, index) => {
    const chosen = mine.chosen.includes(index);
    const [label, marker] = splitMarker(option.label, say("word-recommended"));
    // One stop of the tab key for a group of radios: the chosen one, else the first.
    const isStop = several || chosen || (mine.chosen.length === 0 && index === 0);
    return html`<div
      key=${index}
      class="option"
      data-askd="option"
      data-index=${index}
      role=${several ? "checkbox" : "radio"}
      aria-checked=${chosen ? "true" : "false"}
      aria-labelledby=${id(`label${index}`)}
      aria-describedby=${option.description ? id(`about${index}`) : undefined}
      tabindex=${isStop ? "0" : "-1"}
      onClick=${() => pick(index)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => onKey(event, index)}
    >
      <span class=${several ? "box" : "dot"} aria-hidden="true"></span>
      <span class="option-text">
        <span class="option-label" id=${id(`label${index}`)}><bdi dir="auto">${label}<span class="marker">${marker}</span></bdi></span>
        ${option.description && html`<span class="option-about" id=${id(`about${index}`)}><bdi dir="auto">${option.description}</bdi></span>`}
      </span>
      <${Cap} of=${caps[index]} />
    </div>`;
  });

  const tooLong = excess(draft, question);
  const idle = !several && mine.own.trim() !== "" && !mine.usesOwn;
  return html`<div class="question" data-askd="question" data-question=${question.id}>
    <p class="question-head">
      ${titled && html`<bdi dir="auto" class="question-header">${question.header}</bdi>`}
      ${several && html`<span class="question-any">${say("panel-choose-any")}</span>`}
    </p>
    <h2 class=${question.question.length > LONG ? "question-text long" : "question-text"} id=${id("text")} dir="auto" tabindex="-1">${question.question}</h2>
    <div
      ref=${list}
      class="options"
      role=${several ? "group" : "radiogroup"}
      aria-labelledby=${id("text")}
      aria-describedby=${note ? id("note") : undefined}
    >
      ${rows}
    </div>
    <div
      class="other"
      data-used=${mine.usesOwn ? "true" : "false"}
      onClick=${() => {
        field.current?.focus();
        if (idle) keep(ask.id, takeOwn(draftOf(ask), question));
      }}
    >
      <span class=${several ? "box" : "dot"} aria-hidden="true"></span>
      <span class="option-text">
        <label class="option-label" for=${id("own")}>${say("prompt-other")}</label>
        <${TextField}
          field=${field}
          id=${id("own")}
          data-askd="other"
          class="other-text"
          placeholder=${say("panel-own-words")}
          enterkeyhint="enter"
          aria-describedby=${idle || tooLong > 0 ? id("own-note") : undefined}
          aria-invalid=${tooLong > 0 ? "true" : undefined}
          value=${mine.own}
          onText=${(/** @type {string} */ text) => keep(ask.id, write(draftOf(ask), question, text))}
        />
        ${(idle || tooLong > 0) &&
        html`<span class="other-note" id=${id("own-note")} role=${tooLong > 0 ? "alert" : undefined}>
          ${tooLong > 0 ? say("panel-too-long", { count: tooLong }) : say("panel-own-idle")}
        </span>`}
      </span>
      <${Cap} of=${caps[caps.length - 1]} />
    </div>
    ${note && html`<p class="note" id=${id("note")}>${note}</p>`}
  </div>`;
}

/** @param {{of: string}} props */
function Cap({ of }) {
  const shown = /^\d$/.test(of) ? number(Number(of)) : of;
  return html`<kbd class="cap" aria-hidden="true">${shown}</kbd>`;
}
