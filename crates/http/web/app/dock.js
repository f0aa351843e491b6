// @ts-check
/**
 * The foot of the timeline: the panel in the place of the message box, or a bar above the full box.
 */

import { html, use, useLayoutEffect, useRef } from "./view.js";
import * as act from "./act.js";
import { withReply } from "./draft.js";
import { draftOf, drafts, keep } from "./drafts.js";
import { Icon } from "./icons.js";
import { sends } from "./keys.js";
import { Notice } from "./notice.js";
import { Panel } from "./panel.js";
import { Countdown, Pager } from "./parts.js";
import { dockedAsk, folded, isSettledIn, loaded, open, scope, sending } from "./state.js";
import { TextField } from "./text-field.js";
import { say } from "./words.js";

/** @typedef {import("./ask.js").Ask} Ask */

export function Dock() {
  const ask = use(dockedAsk);
  const isFolded = use(folded);
  const dock = useRef(/** @type {HTMLElement | null} */ (null));
  const was = useRef({ folded: isFolded, ask: ask?.id ?? null });
  // Looked at before what is drawn now takes the place of what had the focus.
  const hadFocus = dock.current?.contains(document.activeElement) === true;

  // Where the focus was in what has gone, it goes to what came: the message box below the bar, the question, or, where
  // the ask is over, its summary.
  useLayoutEffect(() => {
    const before = was.current;
    was.current = { folded: isFolded, ask: ask?.id ?? null };
    const lost = hadFocus && document.activeElement === document.body;
    if (before.folded !== isFolded && before.ask === ask?.id) {
      const into = isFolded ? "[data-askd=composer-text]" : "[data-askd=option][tabindex='0']";
      focus(dock.current?.querySelector(into));
    } else if (before.ask !== null && before.ask !== ask?.id && lost) {
      focus(document.querySelector(`[data-askd=entry][data-ask="${before.ask}"]`));
    }
  }, [isFolded, ask?.id]);

  return html`<section ref=${dock} class="dock" aria-label=${say("panel-composer")}>
    ${ask && !isFolded
      ? html`<${Notice} of=${(/** @type {string} */ id) => id !== ask.id} />
          <${Panel} key=${ask.id} ask=${ask} />`
      : html`${ask && html`<${Bar} ask=${ask} />`}
          <${Notice} of=${() => true} />
          <${Composer} key=${ask?.id ?? ""} ask=${ask} />`}
  </section>`;
}

/** @param {Element | null | undefined} element */
function focus(element) {
  if (element instanceof HTMLElement) element.focus({ preventScroll: false });
}

/** @param {{ask: Ask}} props */
function Bar({ ask }) {
  return html`<div class="bar" data-askd="bar" data-ask=${ask.id}>
    <button
      type="button"
      class="bar-open"
      data-askd="expand"
      aria-expanded="false"
      onClick=${() => (folded.value = false)}
    >
      <${Icon} of="up" />
      <span class="unseen">${say("panel-unfold")}</span>
      <span class="bar-header"><bdi dir="auto">${ask.questions[0].header}</bdi></span>
      <span class="bar-question" dir="auto">${ask.questions[0].question}</span>
    </button>
    <${Countdown} ask=${ask} />
    <${Pager} />
  </div>`;
}

/** @param {{ask: Ask | null}} props */
function Composer({ ask }) {
  use(drafts);
  const busy = use(sending).has(ask?.id ?? "");
  const elsewhere = use(open).length;
  const isLoaded = use(loaded);
  const text = ask ? draftOf(ask).reply : "";
  const send = () => {
    if (ask && text.trim() !== "" && !busy && isSettledIn()) void act.reply(ask);
  };
  return html`<form
    class="composer"
    data-askd="composer"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      send();
    }}
  >
    <div class="composer-box">
      <${TextField}
        data-askd="composer-text"
        class="composer-text"
        aria-label=${ask ? say("panel-reply-to", { agent: ask.agent, header: ask.questions[0].header }) : say("panel-composer")}
        aria-describedby=${ask ? undefined : "composer-why"}
        placeholder=${ask ? say("panel-reply-to", { agent: ask.agent, header: ask.questions[0].header }) : ""}
        disabled=${!ask}
        enterkeyhint="send"
        value=${text}
        onText=${(/** @type {string} */ typed) => ask && keep(ask.id, withReply(draftOf(ask), typed))}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          if (!sends(event)) return;
          event.preventDefault();
          send();
        }}
      />
      ${!ask &&
      isLoaded &&
      html`<p class="composer-why" id="composer-why" data-askd="composer-why">
        ${elsewhere > 0 ? say("panel-open-elsewhere", { count: elsewhere }) : say("panel-nothing-open")}
      </p>`}
      ${!ask && elsewhere > 0 && html`<button type="button" class="button small" onClick=${() => (scope.value = null)}>${say("panel-show-all")}</button>`}
      ${ask &&
      html`<button type="submit" class="send" data-askd="composer-send" disabled=${text.trim() === "" || busy} aria-label=${say("panel-send")} title=${say("panel-send")}>
        <${Icon} of="send" />
      </button>`}
    </div>
  </form>`;
}
