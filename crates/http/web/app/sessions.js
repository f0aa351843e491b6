// @ts-check
/**
 * The list of sessions: beside the timeline where there is room, else in a drawer.
 */

import { html, use, useEffect, useRef } from "./view.js";
import { signal } from "../vendor/signals-core/signals-core.module.js";
import { Icon } from "./icons.js";
import { go } from "./route.js";
import { Settings } from "./settings.js";
import { open, route, scope, sessions } from "./state.js";
import { number, say } from "./words.js";

/** Whether the drawer is open. */
export const drawer = signal(false);

function List() {
  const list = use(sessions);
  const within = use(scope);
  const all = use(open).length;
  const at = use(route);
  /** @param {string | null} key */
  const pick = (key) => {
    scope.value = key;
    drawer.value = false;
    if (at.name !== "home") go("/");
  };
  /** @param {string | null} key */
  const current = (key) => (at.name === "home" && within === key ? "true" : undefined);
  return html`<ul class="sessions">
    <li>
      <button type="button" class="session" data-askd="session" data-session="" aria-current=${current(null)} onClick=${() => pick(null)}>
        <span class="session-name">${say("panel-all-sessions")}</span>
        <${Count} of=${all} />
      </button>
    </li>
    ${list.map(
      (session) => html`<li key=${session.key}>
        <button
          type="button"
          class="session"
          data-askd="session"
          data-session=${session.id ?? ""}
          aria-current=${current(session.key)}
          onClick=${() => pick(session.key)}
        >
          <span class="session-text">
            <bdi class="session-name" dir="auto">${session.name}</bdi>
            <bdi class="session-agent" dir="auto">${session.id === null ? say("panel-no-session") : session.agent}</bdi>
          </span>
          <${Count} of=${session.open} />
        </button>
      </li>`,
    )}
  </ul>`;
}

/** @param {{of: number}} props */
function Count({ of }) {
  if (of === 0) return null;
  return html`<span class="count"><span aria-hidden="true">${number(of)}</span><span class="unseen">${say("panel-open-count", { count: of })}</span></span>`;
}

export function Sidebar() {
  return html`<nav class="sidebar" aria-label=${say("panel-sessions")}><${List} /></nav>`;
}

export function Drawer() {
  const isOpen = use(drawer);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    if (!isOpen && dialog.current?.open) dialog.current.close();
  }, [isOpen]);
  return html`<dialog
    ref=${dialog}
    class="drawer"
    aria-label=${say("panel-sessions")}
    onClose=${() => (drawer.value = false)}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (event.target === dialog.current) drawer.value = false;
    }}
  >
    <div class="drawer-in">
      <header class="drawer-head">
        <h2>${say("panel-sessions")}</h2>
        <button type="button" class="icon-button" aria-label=${say("panel-close")} onClick=${() => (drawer.value = false)}><${Icon} of="close" /></button>
      </header>
      ${isOpen && html`<${List} /><span class="spring"></span><${Settings} />`}
    </div>
  </dialog>`;
}
