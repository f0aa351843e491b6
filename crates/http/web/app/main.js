// @ts-check
/**
 * Where the page begins: gets the words, finds out who looks, and draws.
 */

import { html, render, use, useEffect } from "./view.js";
import { AskPage } from "./ask-page.js";
import { callForAttention } from "./attention.js";
import { Dock } from "./dock.js";
import { Connection, Header } from "./header.js";
import { registerWorker } from "./push.js";
import { replace, watchAddress } from "./route.js";
import { Drawer, Sidebar } from "./sessions.js";
import { comeBackTo, SignIn, takeCode } from "./sign-in.js";
import { access, link, loaded, route, spoken } from "./state.js";
import { start } from "./sync.js";
import { Timeline } from "./timeline.js";
import { language, load, preferred, say } from "./words.js";

/** How long to wait before asking again who we are, where askd cannot be reached, in ms. */
const AGAIN = 3000;

/** @param {{code: string | null}} props a sign-in code from the address */
function App({ code }) {
  use(language);
  const state = use(access);
  const at = use(route);
  const isReady = use(loaded) && use(link) === "open";
  useEffect(() => {
    if (isReady) document.body.dataset.ready = "";
    else delete document.body.dataset.ready;
  }, [isReady]);
  useEffect(() => {
    if (state === "in" && at.name === "sign-in") replace("/");
    if (state === "out" || state === "expired") comeBackTo();
  }, [state, at]);

  if (state === "unknown" && code === null) return html`<${Speech} />`;
  if (state !== "in") return html`<div class="app alone"><${Header} /><${SignIn} code=${code} /><${Speech} /></div>`;
  if (at.name === "ask") {
    return html`<div class="app alone"><${Header} /><${Connection} /><${AskPage} id=${at.id} /><${Speech} /></div>`;
  }
  return html`<div class="app">
    <${Header} />
    <${Sidebar} />
    <div class="stage">
      <${Connection} />
      <${Timeline} />
      <${Dock} />
    </div>
    <${Drawer} />
    <${Speech} />
  </div>`;
}

/** What a screen reader says by itself: new questions, receipts, the connection. */
function Speech() {
  const { text, n } = use(spoken);
  return html`<div class="unseen" data-askd="status-live" role="status" aria-live="polite" aria-atomic="true"><span key=${n}>${text}</span></div>`;
}

async function begin() {
  watchAddress();
  const code = takeCode();
  const root = document.getElementById("app");
  if (!root) throw new Error("the page is not whole");
  for (;;) {
    try {
      await load(preferred(null));
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
  callForAttention();
  void registerWorker();
  render(html`<${App} code=${code} />`, root);
  // With a code the sign-in page starts when the code is handed in.
  while (code === null) {
    try {
      await start();
      return;
    } catch {
      document.body.dataset.unreachable = say("panel-offline-start");
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      delete document.body.dataset.unreachable;
    }
  }
}

void begin();
