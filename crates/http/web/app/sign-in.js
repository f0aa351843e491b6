// @ts-check
/**
 * Signing in with a one-time link.
 *
 * The code is behind the `#` of the link, so that it is in no log; the page hands it in and takes it out of the
 * address at once. It is used up by that, so a code that did not get through is kept here for another try.
 */

import { html, use, useEffect, useState } from "./view.js";
import { call, Refused } from "./api.js";
import { Mark } from "./icons.js";
import { replace } from "./route.js";
import { access } from "./state.js";
import { start } from "./sync.js";
import { say } from "./words.js";

const RETURN = "askd.return";

/** Remembers where to go on after signing in. */
export function comeBackTo() {
  try {
    if (location.pathname.startsWith("/ask/")) sessionStorage.setItem(RETURN, location.pathname);
  } catch {
    // Then to the start.
  }
}

function placeToReturn() {
  try {
    const path = sessionStorage.getItem(RETURN);
    sessionStorage.removeItem(RETURN);
    return path?.startsWith("/ask/") ? path : "/";
  } catch {
    return "/";
  }
}

/**
 * The code in what was pasted: a whole link, or the code alone.
 *
 * @param {string} text
 */
export function codeIn(text) {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.lastIndexOf("#") + 1);
}

/** Takes the code out of the address, if there is one. */
export function takeCode() {
  if (location.pathname !== "/sign-in" || location.hash.length < 2) return null;
  const code = codeIn(location.hash);
  history.replaceState(null, "", "/sign-in");
  return code;
}

/** @typedef {"idle" | "busy" | "wrong" | "often" | "unreachable"} Progress */

/** @param {{code: string | null}} props from the address */
export function SignIn({ code }) {
  const [text, setText] = useState(code ?? "");
  const [progress, setProgress] = useState(/** @type {Progress} */ (code === null ? "idle" : "busy"));
  const was = use(access);

  /** @param {string} given */
  const handIn = async (given) => {
    if (given === "") return;
    setProgress("busy");
    try {
      await call("POST", "/v1/sign-in", { body: { code: given } });
      await start();
      replace(placeToReturn());
    } catch (error) {
      const status = error instanceof Refused ? error.status : 0;
      // Whoever opens their old link again while they are still signed in just goes in.
      if (status === 401) await start().catch(() => {});
      if (access.peek() === "in") {
        replace(placeToReturn());
        return;
      }
      setProgress(status === 429 ? "often" : status >= 400 && status < 500 ? "wrong" : "unreachable");
      if (status === 401) setText("");
    }
  };
  useEffect(() => {
    if (code !== null) void handIn(code);
  }, []);

  const trouble = { wrong: "panel-code-wrong", often: "panel-code-too-often", unreachable: "panel-not-reached" };
  return html`<main class="sign-in" data-askd="sign-in" data-progress=${progress}>
    <div class="sheet">
      <${Mark} />
      <h2>${say(was === "expired" ? "panel-expired" : "panel-sign-in")}</h2>
      <p>${say("panel-sign-in-how")}</p>
      <pre dir="ltr" tabindex="0"><code>askd pair --web</code></pre>
      <p class="quiet">${say("panel-sign-in-person")}</p>
      <form
        onSubmit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void handIn(codeIn(text));
        }}
      >
        <label for="code">${say("panel-code")}</label>
        <div class="field-row">
          <input
            id="code"
            type="text"
            dir="ltr"
            data-askd="code"
            autocomplete="one-time-code"
            autocapitalize="off"
            spellcheck=${false}
            value=${text}
            aria-describedby=${progress in trouble ? "code-trouble" : undefined}
            aria-invalid=${progress === "wrong" ? "true" : undefined}
            onInput=${(/** @type {Event & {currentTarget: HTMLInputElement}} */ event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="button primary" data-askd="hand-in" disabled=${progress === "busy"}>
            ${say(progress === "busy" ? "panel-signing-in" : "panel-hand-in")}
          </button>
        </div>
        ${progress in trouble &&
        html`<p class="notice bad" id="code-trouble" role="alert">${say(trouble[/** @type {keyof typeof trouble} */ (progress)])}</p>`}
      </form>
    </div>
  </main>`;
}
