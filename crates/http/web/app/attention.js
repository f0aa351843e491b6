// @ts-check
/**
 * Calls for attention while a question waits: the title, the sign in the tab, the badge of the installed app.
 *
 * Nothing of a question is in any of them.
 */

import { effect } from "../vendor/signals-core/signals-core.module.js";
import { access, open } from "./state.js";
import { isRightToLeft, language, say } from "./words.js";

export function callForAttention() {
  effect(() => {
    const waiting = access.value === "in" ? open.value.length : 0;
    // Read, so that the title follows the language.
    void language.value;
    document.title = waiting > 0 ? say("panel-title-waiting", { count: waiting }) : say("panel-title");
    const icon = document.querySelector("link[rel=icon]");
    const wanted = waiting > 0 ? "/assets/icons/waiting.svg" : "/favicon.svg";
    if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
    badge(waiting);
  });
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = isRightToLeft.value ? "rtl" : "ltr";
  });
}

/** @param {number} waiting */
function badge(waiting) {
  const device = /** @type {Navigator & {setAppBadge?: (n: number) => Promise<void>, clearAppBadge?: () => Promise<void>}} */ (navigator);
  const done = waiting > 0 ? device.setAppBadge?.(waiting) : device.clearAppBadge?.();
  done?.catch(() => {});
}
