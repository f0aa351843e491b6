// @ts-check
/**
 * The asks of a session, the latest at the foot, with a line between days. Stays at the foot as long as the person is
 * there, and where they are if they have gone up to read.
 */

import { html, use, useLayoutEffect, useRef, useState } from "./view.js";
import { Entry } from "./entry.js";
import { Mark } from "./icons.js";
import { loaded, now, older, scope, timeline, zone } from "./state.js";
import { readOlder } from "./sync.js";
import { day, dayName } from "./time.js";
import { language, say } from "./words.js";

/** How near the foot still counts as being there, in CSS pixels. */
const NEAR = 80;

export function Timeline() {
  const list = use(timeline);
  const within = use(scope);
  const tongue = use(language);
  const there = use(zone);
  const isLoaded = use(loaded);
  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const atFoot = useRef(true);
  const toFoot = () => {
    const it = scroller.current;
    if (it && atFoot.current) it.scrollTop = it.scrollHeight;
  };

  useLayoutEffect(toFoot, [list]);
  useLayoutEffect(() => {
    atFoot.current = true;
    toFoot();
  }, [within]);
  useLayoutEffect(() => {
    if (!scroller.current) return undefined;
    // The dock below grows and shrinks; the foot stays in sight.
    const watch = new ResizeObserver(toFoot);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, []);

  const reader = { language: tongue, zone: there, now: now.peek() };
  let before = "";
  const lines = list.map((ask) => {
    const of = day(ask.createdAt, there);
    const isNew = of !== before;
    before = of;
    return html`<li key=${ask.id}>
      ${isNew && html`<h2 class="day"><span>${dayName(ask.createdAt, reader)}</span></h2>`}
      <${Entry} ask=${ask} />
    </li>`;
  });
  return html`<main
    ref=${scroller}
    class="timeline"
    data-askd="timeline"
    aria-label=${say("panel-timeline")}
    aria-busy=${isLoaded ? "false" : "true"}
    tabindex="0"
    onScroll=${() => {
      const it = scroller.current;
      if (it) atFoot.current = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    }}
  >
    <div class="column">
      ${isLoaded && list.length === 0 && html`<${Nothing} />`}
      <${Older} />
      <ol class="entries">${lines}</ol>
    </div>
  </main>`;
}

/** What a new user sees first. */
function Nothing() {
  return html`<div class="nothing">
    <${Mark} />
    <h2>${say("panel-empty")}</h2>
    <p>${say("panel-empty-more")}</p>
    <pre dir="ltr" tabindex="0"><code>askd ask "Tea or coffee?" -o Tea -o Coffee</code></pre>
  </div>`;
}

function Older() {
  const within = use(scope) ?? "";
  const next = use(older).get(within) ?? null;
  const whole = use(older).get("") ?? null;
  const known = use(older).has(within);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  // A session of which nothing was read by itself yet may have more, if the list of all has.
  const hasMore = known ? next !== null : whole !== null;
  if (!hasMore) return null;
  const read = async () => {
    setBusy(true);
    setFailed(false);
    try {
      await readOlder();
    } catch {
      setFailed(true);
    }
    setBusy(false);
  };
  return html`<p class="older">
    <button type="button" class="button small" data-askd="older" disabled=${busy} onClick=${read}>${say(failed ? "panel-retry" : "panel-older")}</button>
  </p>`;
}
