// @ts-check
/**
 * The open ask: its questions, one at a time in a stepper or all of them as cards, and what to do with them.
 *
 * Docked it takes the place of the message box; on a page of its own it is the page.
 */

import { html, use, useEffect, useLayoutEffect, useRef, useState } from "./view.js";
import * as act from "./act.js";
import { choose, goTo, isReady, unready } from "./draft.js";
import { draftOf, drafts, keep } from "./drafts.js";
import { Icon } from "./icons.js";
import { intent, marks } from "./keys.js";
import { Background } from "./markdown.js";
import { Notice } from "./notice.js";
import { Countdown, From, Pager } from "./parts.js";
import { Question } from "./question.js";
import { SkipButton } from "./skip-button.js";
import { stacked } from "./screen.js";
import { useSeen } from "./seen.js";
import { folded, isSettledIn, sending } from "./state.js";
import { number, say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

/** Background of up to this many characters is shown in full. */
const SHORT = 400;

/** @param {{ask: Ask, whole?: boolean}} props `whole`: a page of its own, which cannot be folded */
export function Panel({ ask, whole = false }) {
  use(drafts);
  const cards = use(stacked) || ask.questions.length === 1;
  const busy = use(sending).get(ask.id);
  const draft = draftOf(ask);
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  /** Questions whose missing answer is to be pointed out. */
  const [noted, setNoted] = useState(/** @type {readonly number[]} */ ([]));
  /** Whether the person is being asked if they mean to decline. */
  const [leaving, setLeaving] = useState(false);
  const step = cards ? 0 : Math.min(draft.step, ask.questions.length - 1);
  const isLast = cards || step === ask.questions.length - 1;
  const inFront = cards ? ask.questions.map((_, at) => at) : [step];

  useSeen(ask, panel);

  /** @param {number} at */
  const focusOn = (at) => {
    const question = panel.current?.querySelectorAll("[data-askd=question]")[cards ? at : 0];
    const stop = question?.querySelector("[data-askd=option][tabindex='0']");
    if (stop instanceof HTMLElement) stop.focus();
  };

  const moved = useRef(step);
  useLayoutEffect(() => {
    if (moved.current === step) return;
    moved.current = step;
    panel.current?.querySelector(".ask-body")?.scrollTo(0, 0);
    focusOn(step);
  }, [step]);

  const onward = () => {
    const now = draftOf(ask);
    if (!isLast) {
      if (isReady(now, ask.questions[step])) keep(ask.id, goTo(now, step + 1));
      else point([step]);
      return;
    }
    const open = unready(now, ask);
    if (open.length === 0) void act.answer(ask);
    else {
      if (!cards && open[0] !== step) keep(ask.id, goTo(now, open[0]));
      point(open);
    }
  };
  /** @param {readonly number[]} open */
  const point = (open) => {
    setNoted(open);
    focusOn(open[0]);
  };
  const back = () => keep(ask.id, goTo(draftOf(ask), step - 1));

  // Keys that are pressed nowhere in particular are for the panel too.
  const onKey = useRef((/** @type {KeyboardEvent} */ _) => {});
  onKey.current = (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const inside = panel.current?.contains(target) === true;
    // Other controls keep their keys.
    const isOthers = !inside && target.closest("button, a, input, select, textarea, summary, pre, dialog") !== null;
    if (event.defaultPrevented || isOthers) return;
    const inText = target.matches("textarea, input, select");
    const onControl = target.matches("button, a, summary, pre");
    const question = currentQuestion(target) ?? ask.questions[inFront[0]];
    const caps = marks(question.options.map((option) => option.label));
    const meant = intent(event, { inText, onControl, marks: caps });
    if (meant === null || (meant.kind === "fold" && whole)) return;
    event.preventDefault();
    if (meant.kind !== "fold" && !isSettledIn()) return;
    if (meant.kind === "onward") onward();
    else if (meant.kind === "fold") folded.value = true;
    else if (meant.index === question.options.length) ownField(question.id)?.focus();
    else keep(ask.id, choose(draftOf(ask), question, meant.index));
  };
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  /** @param {Element} target */
  const currentQuestion = (target) => {
    const id = target.closest("[data-question]")?.getAttribute("data-question");
    return ask.questions.find((question) => question.id === id);
  };
  /** @param {string} id */
  const ownField = (id) => {
    const field = panel.current?.querySelector(`[data-question="${id}"] [data-askd=other]`);
    return field instanceof HTMLElement ? field : null;
  };

  /** @param {number} at */
  const noteFor = (at) => {
    if (!noted.includes(at) || isReady(draft, ask.questions[at])) return null;
    return ask.questions[at].multiSelect ? say("panel-choose-some") : say("panel-choose-one");
  };

  return html`<section
    ref=${panel}
    class=${whole ? "panel whole" : "panel"}
    data-askd="panel"
    data-ask=${ask.id}
    aria-label=${say("panel-of", { agent: ask.agent })}
    aria-busy=${busy ? "true" : "false"}
    onClickCapture=${(/** @type {MouseEvent} */ event) => {
      if (!isSettledIn()) {
        event.preventDefault();
        event.stopPropagation();
      }
    }}
  >
    <header class="ask-head">
      <${From} ask=${ask} />
      <${Countdown} ask=${ask} />
      ${!whole && html`<${Pager} />`}
      ${!whole &&
      html`<button
        type="button"
        class="icon-button fold"
        data-askd="collapse"
        aria-label=${say("panel-fold")}
        title=${say("panel-fold")}
        onClick=${() => (folded.value = true)}
      >
        <${Icon} of="down" />
      </button>`}
    </header>
    <div class="ask-body">
      ${ask.context !== null &&
      html`<details class="background" open=${ask.context.length <= SHORT}>
        <summary>${say("panel-background")}</summary>
        <div class="md"><${Background} ask=${ask} /></div>
      </details>`}
      ${!cards && html`<${Steps} ask=${ask} step=${step} />`}
      ${inFront.map((at) => html`<${Question} key=${ask.questions[at].id} ask=${ask} at=${at} note=${noteFor(at)} titled=${cards} />`)}
    </div>
    <${Notice} of=${(/** @type {string} */ id) => id === ask.id} />
    <footer class="ask-foot">
      <${SkipButton} ask=${ask} busy=${busy !== undefined} onAsk=${setLeaving} />
      ${!leaving && html`<span class="spring"></span>`}
      ${!leaving &&
      !cards &&
      step > 0 &&
      html`<button type="button" class="button" data-askd="back" onClick=${back}>${say("panel-back")}</button>`}
      ${leaving
        ? null
        : isLast
        ? html`<button type="button" class="button primary" data-askd="submit" aria-disabled=${busy ? "true" : undefined} onClick=${onward}>
            ${busy === "answers" ? say("panel-sending") : say("panel-submit")}
          </button>`
        : html`<button type="button" class="button primary" data-askd="next" onClick=${onward}>${say("panel-next")}</button>`}
    </footer>
  </section>`;
}

/**
 * Where one is in the stepper.
 *
 * @param {{ask: Ask, step: number}} props
 */
function Steps({ ask, step }) {
  const draft = draftOf(ask);
  return html`<div class="steps">
    <p class="unseen">${say("panel-step", { step: step + 1, of: ask.questions.length })}</p>
    <ol>
      ${ask.questions.map(
        (question, at) => html`<li
          key=${question.id}
          class=${isReady(draft, question) ? "ready" : ""}
          aria-current=${at === step ? "step" : undefined}
        >
          <span class="steps-number" aria-hidden="true">${isReady(draft, question) && at !== step ? html`<${Icon} of="check" />` : number(at + 1)}</span>
          <bdi dir="auto">${question.header}</bdi>
        </li>`,
      )}
    </ol>
  </div>`;
}
