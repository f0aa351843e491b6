// @ts-check
/**
 * What is the person's to set: notifications on this device, where askd and the browser can, and leaving.
 */

import { html, use, useEffect, useState } from "./view.js";
import { canPush, isOn, turnOff, turnOn } from "./push.js";
import { me, speak } from "./state.js";
import { signOut } from "./sync.js";
import { say } from "./words.js";

export function Settings() {
  const who = use(me);
  return html`<div class="settings"><${Push} />${who && html`<${Leave} name=${who.name} />`}</div>`;
}

function Push() {
  const who = use(me);
  const [on, setOn] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (canPush) isOn().then(setOn, () => {});
  }, []);
  if (!who?.push || !canPush) return null;
  const toggle = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      if (on) await turnOff();
      const became = on ? "off" : await turnOn(who);
      if (became === "denied") setTrouble("panel-push-denied");
      else {
        setOn(became === "on");
        speak(say(became === "on" ? "panel-push-on" : "panel-push-off"));
      }
    } catch {
      setTrouble("panel-push-failed");
    }
    setBusy(false);
  };
  return html`<div class="push">
    <button
      type="button"
      class="button small quiet"
      data-askd="push"
      role="switch"
      aria-checked=${on ? "true" : "false"}
      disabled=${busy}
      onClick=${toggle}
    >
      <span class="switch" aria-hidden="true"></span>${say("panel-push")}
    </button>
    ${trouble && html`<p class="push-trouble" role="alert">${say(trouble)}</p>`}
  </div>`;
}

/** @param {{name: string}} props */
function Leave({ name }) {
  const [failed, setFailed] = useState(false);
  return html`<button
    type="button"
    class="button small quiet"
    data-askd="sign-out"
    title=${say("panel-signed-in-as", { name })}
    onClick=${() => signOut().catch(() => setFailed(true))}
  >
    ${say(failed ? "panel-retry" : "panel-sign-out")}
  </button>`;
}
