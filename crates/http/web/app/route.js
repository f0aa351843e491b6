// @ts-check
/**
 * Which page an address means, and going there without loading the page anew.
 */

import { route } from "./state.js";

/** @typedef {import("./state.js").Route} Route */

/**
 * @param {string} path
 * @returns {Route}
 */
export function routeOf(path) {
  const ask = /^\/ask\/([^/]+)\/?$/.exec(path);
  if (ask) return { name: "ask", id: decode(ask[1]) };
  return path.startsWith("/sign-in") ? { name: "sign-in" } : { name: "home" };
}

/** @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  route.value = routeOf(path);
}

/** @param {string} path */
export function replace(path) {
  history.replaceState(null, "", path);
  route.value = routeOf(path);
}

/**
 * For links: follows them here, unless the person wants a new tab.
 *
 * @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event
 */
export function followLink(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  go(event.currentTarget.pathname);
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function watchAddress() {
  route.value = routeOf(location.pathname);
  window.addEventListener("popstate", () => {
    route.value = routeOf(location.pathname);
  });
}
