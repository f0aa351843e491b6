// @ts-check
/**
 * What kind of screen it is, as far as the layout asks in script; the rest is in the style sheets.
 */

import { signal } from "../vendor/signals-core/signals-core.module.js";

/** Touch screens and narrow ones get all questions below each other instead of one at a time. */
const touchOrNarrow = matchMedia("(max-width: 719px), (pointer: coarse)");

export const stacked = signal(touchOrNarrow.matches);
touchOrNarrow.addEventListener("change", () => {
  stacked.value = touchOrNarrow.matches;
});

/** Too narrow for anything beside the timeline; as in the style sheets. */
const oneColumn = matchMedia("(max-width: 719px)");

export const narrow = signal(oneColumn.matches);
oneColumn.addEventListener("change", () => {
  narrow.value = oneColumn.matches;
});
