// @ts-check
/**
 * Everything a person reads, from the same catalogues as the channels (`/words/<language>.ftl`), filled in by Fluent.
 *
 * Which language: the one chosen here, else the person's in the configuration, else the browser's.
 */

import { computed, signal } from "../vendor/signals-core/signals-core.module.js";
import { FluentBundle } from "../vendor/fluent/bundle.js";
import { FluentResource } from "../vendor/fluent/resource.js";

const CHOSEN = "askd.language";

/** What the page can be read in, each under its own name. */
export const LANGUAGES = Object.freeze({ en: "English", fa: "فارسی" });

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {import("../vendor/signals-core/signals-core.module.js").Signal<{language: Language, bundle: FluentBundle} | null>} */
const catalogue = signal(null);

/** The language in use, and which way it is written. */
export const language = computed(() => catalogue.value?.language ?? "en");
export const isRightToLeft = computed(() => language.value === "fa");

/**
 * A sentence, with its variables filled in.
 *
 * @param {string} id
 * @param {Record<string, string | number>} [values]
 */
export function say(id, values) {
  const bundle = catalogue.peek()?.bundle;
  const pattern = bundle?.getMessage(id)?.value;
  return bundle && pattern ? bundle.formatPattern(pattern, values, []) : id;
}

/**
 * A number in the digits of the language.
 *
 * @param {number} value
 */
export function number(value) {
  return new Intl.NumberFormat(language.peek(), { useGrouping: false }).format(value);
}

/**
 * Gets the catalogue and changes over to it. Rejects if it cannot be had; then nothing changes.
 *
 * @param {Language} wanted
 */
export async function load(wanted) {
  if (catalogue.peek()?.language === wanted) return;
  const answer = await fetch(`/words/${wanted}.ftl`);
  if (!answer.ok) throw new Error("no catalogue");
  const bundle = new FluentBundle(wanted);
  bundle.addResource(new FluentResource(await answer.text()));
  catalogue.value = { language: wanted, bundle };
}

/**
 * Somebody chose a language here.
 *
 * @param {Language} wanted
 */
export async function choose(wanted) {
  await load(wanted);
  try {
    localStorage.setItem(CHOSEN, wanted);
  } catch {
    // Without storage the choice holds for this page.
  }
}

/**
 * @param {string | null | undefined} ofPerson from the configuration
 * @returns {Language}
 */
export function preferred(ofPerson) {
  let chosen = null;
  try {
    chosen = localStorage.getItem(CHOSEN);
  } catch {
    // See above.
  }
  const wishes = [chosen, ofPerson, ...navigator.languages];
  for (const wish of wishes) {
    const found = known((wish ?? "").split("-")[0].toLowerCase());
    if (found) return found;
  }
  return "en";
}

/**
 * @param {string} tag
 * @returns {Language | null}
 */
export function known(tag) {
  return tag === "en" || tag === "fa" ? tag : null;
}
