// @ts-check
/**
 * The few signs of the page, as lines in the colour of the text around them. Decoration to a screen reader: what they
 * say is said in words beside them.
 */

import { html } from "./view.js";

/** Outlines in a field of 20 by 20. */
export const PATHS = {
  menu: "M3 6h14M3 10h14M3 14h9",
  close: "M5 5l10 10M15 5L5 15",
  down: "M5 8l5 5 5-5",
  up: "M5 12l5-5 5 5",
  back: "M12 5l-5 5 5 5",
  onward: "M8 5l5 5-5 5",
  send: "M10 16V4M5 9l5-5 5 5",
  check: "M4 10.5l4 4 8-9",
  skip: "M5 5l6 5-6 5zM14.5 5v10",
  clock: "M10 3a7 7 0 100 14 7 7 0 000-14zM10 6v4l2.5 2",
  cross: "M10 3a7 7 0 100 14 7 7 0 000-14zM7.5 7.5l5 5M12.5 7.5l-5 5",
  lost: "M3 8a11 11 0 0114 0M5.8 11.2a7 7 0 018.4 0M10 15.2v.1M3 3l14 14",
  waiting: "M10 3a7 7 0 100 14 7 7 0 000-14zM8 8.2a2 2 0 113 1.8c-.7.4-1 .8-1 1.4M10 13.7v.1",
};

/**
 * @param {{of: keyof typeof PATHS, mirrored?: boolean}} props `mirrored`: turned around where writing goes from right
 *   to left
 */
export function Icon({ of, mirrored = false }) {
  return html`<svg class=${mirrored ? "icon mirrored" : "icon"} viewBox="0 0 20 20" aria-hidden="true">
    <path d=${PATHS[of]} />
  </svg>`;
}

/** The mark of askd: a question that has its answers in it. */
export function Mark() {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path class="mark-ground" d="M9 3h14a6 6 0 016 6v9a6 6 0 01-6 6h-8l-6.4 5.1A1 1 0 017 28.3V24a6 6 0 01-4-6V9a6 6 0 016-6z" />
    <path class="mark-lines" d="M14.5 10.5H23M14.5 17H20" />
    <circle class="mark-dot" cx="9.5" cy="10.5" r="2.1" />
    <circle class="mark-ring" cx="9.5" cy="17" r="1.7" />
  </svg>`;
}
