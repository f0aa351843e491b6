// @ts-check
/**
 * The head of the page: where one is, whether askd can be reached, and the few things that are the person's to set.
 */

import { html, use, useState } from "./view.js";
import { Icon, Mark } from "./icons.js";
import { followLink } from "./route.js";
import { narrow } from "./screen.js";
import { drawer } from "./sessions.js";
import { Settings } from "./settings.js";
import { access, asks, link, open, route, scope, sessions } from "./state.js";
import { choose, known, language, LANGUAGES, number, say } from "./words.js";

export function Header() {
  const isIn = use(access) === "in";
  const at = use(route);
  const within = use(scope);
  const session = use(sessions).find((it) => it.key === within);
  const waiting = use(open).length;
  const alone = use(asks).get(at.name === "ask" ? at.id : "");
  const isNarrow = use(narrow);
  let title = say("panel-sign-in");
  if (isIn) title = alone ? say("panel-of", { agent: alone.agent }) : (session?.name ?? say("panel-all-sessions"));
  return html`<header class="top">
    ${isIn &&
    at.name === "home" &&
    html`<button type="button" class="icon-button menu-button" data-askd="sessions" onClick=${() => (drawer.value = true)}>
      <${Icon} of="menu" />
      <span class="unseen">${say("panel-sessions")}</span>
      ${waiting > 0 && html`<span class="count">${number(waiting)}</span>`}
    </button>`}
    ${isIn && at.name === "ask"
      ? html`<a class="button small to-all" href="/" onClick=${followLink}><${Icon} of="back" mirrored />${say("panel-to-all")}</a>`
      : html`<p class="brand"><${Mark} /><span class="brand-name">askd</span></p>`}
    <h1 class=${isIn && at.name === "home" ? "top-title" : "unseen"}><bdi dir="auto">${title}</bdi></h1>
    <span class="spring"></span>
    <${LanguageChoice} />
    ${isIn && !isNarrow && html`<${Settings} />`}
  </header>`;
}

function LanguageChoice() {
  const now = use(language);
  const [failed, setFailed] = useState(false);
  /** @param {Event & {currentTarget: HTMLSelectElement}} event */
  const change = (event) => {
    const wanted = known(event.currentTarget.value);
    if (wanted) choose(wanted).then(() => setFailed(false), () => setFailed(true));
  };
  return html`<label class="language">
    <span class="unseen">${say("panel-language")}</span>
    <select data-askd="language" value=${now} aria-invalid=${failed ? "true" : undefined} onChange=${change}>
      ${Object.entries(LANGUAGES).map(([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag} selected=${tag === now}>${name}</option>`)}
    </select>
    <${Icon} of="down" />
  </label>`;
}

/** The strip that says that nothing new can come in. */
export function Connection() {
  const state = use(link);
  const isIn = use(access) === "in";
  if (!isIn || state !== "lost") return null;
  return html`<div class="connection" data-askd="connection">
    <${Icon} of="lost" />
    <p>${say(navigator.onLine ? "panel-lost" : "panel-offline")}</p>
    <button type="button" class="button small" onClick=${() => window.dispatchEvent(new Event("askd-retry"))}>${say("panel-try-now")}</button>
  </div>`;
}
