// @ts-check
/**
 * The switch for notifications on this device; there only where askd and the browser can.
 */

import { html, use, useEffect, useState } from "./view.js";
import { canPush, isOn, turnOff, turnOn } from "./push.js";
import { me, speak } from "./state.js";
import { say } from "./words.js";

export function Push() {
  const key = use(me)?.push?.publicKey ?? null;
  const [on, setOn] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (canPush) isOn().then(setOn, () => {});
  }, []);
  if (key === null || !canPush) return null;
  const toggle = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      if (on) await turnOff();
      const became = on ? "off" : await turnOn(key);
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
