// @ts-check
/**
 * The one place that names the component library: htm and Preact, and a hook that reads signals.
 *
 * Markup made with `html` is never parsed as HTML: values become text nodes and attributes.
 */

import { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/htm/standalone.module.js";
import { effect } from "../vendor/signals-core/signals-core.module.js";

export { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState };

/** @typedef {import("../vendor/htm/standalone.module.js").Child} Child */

/**
 * The value of a signal; the component is rendered again when it changes.
 *
 * @template T
 * @param {{readonly value: T, peek(): T}} signal
 * @returns {T}
 */
export function use(signal) {
  const [, again] = useState(0);
  const value = signal.peek();
  const seen = useRef(value);
  seen.current = value;
  useLayoutEffect(
    () =>
      effect(() => {
        // Also catches a change between rendering and this moment.
        if (signal.value !== seen.current) again((n) => n + 1);
      }),
    [signal],
  );
  return value;
}
