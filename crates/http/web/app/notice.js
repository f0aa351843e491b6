// @ts-check
/**
 * What became of what the person did, where they look: receipts, and requests that failed, with a way to try again.
 *
 * Stays until the next thing is done or it is closed; no timer takes it away.
 */

import { html, use } from "./view.js";
import * as act from "./act.js";
import { Icon } from "./icons.js";
import { asks, failure, receipt } from "./state.js";
import { say } from "./words.js";

/** @param {{of: (ask: string) => boolean}} props which asks it may be about */
export function Notice({ of }) {
  const failed = use(failure);
  const told = use(receipt);
  if (failed && of(failed.ask)) {
    const about = asks.peek().get(failed.ask);
    return html`<div class="notice bad" data-askd="receipt" data-kind="failed">
      <p>${say(failed.why === "refused" ? "panel-not-taken" : "panel-not-sent")}</p>
      ${about && html`<button type="button" class="button small" data-askd="retry" onClick=${() => act.again(about, failed.act)}>${say("panel-retry")}</button>`}
    </div>`;
  }
  if (!told || !of(told.ask)) return null;
  return html`<div class=${told.kind === "hint" || told.kind === "not_yours" ? "notice warn" : "notice"} data-askd="receipt" data-kind=${told.kind} data-ask=${told.ask}>
    <div class="notice-text">
      <p dir="auto">${told.text}</p>
      ${told.unsent !== "" &&
      html`<details>
        <summary>${say("panel-unsent")}</summary>
        <p class="unsent" dir="auto">${told.unsent}</p>
      </details>`}
    </div>
    <button type="button" class="icon-button" aria-label=${say("panel-close")} title=${say("panel-close")} onClick=${() => (receipt.value = null)}>
      <${Icon} of="close" />
    </button>
  </div>`;
}
