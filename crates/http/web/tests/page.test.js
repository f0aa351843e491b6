// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(WEB, "index.html"), "utf8");
const inApp = readdirSync(join(WEB, "app")).map((name) => join("app", name));
const inStyle = readdirSync(join(WEB, "style")).map((name) => join("style", name));

/**
 * @param {string} from
 * @param {Set<string>} found
 */
function imported(from, found) {
  found.add(from);
  const text = readFileSync(join(WEB, from), "utf8");
  for (const [, path] of text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gm)) {
    const to = normalize(join(dirname(from), path));
    if (!found.has(to)) imported(to, found);
  }
  return found;
}

test("the page asks at once for every module it will need, so that none waits for another, and for no other", () => {
  const needed = imported("app/main.js", new Set());
  const named = [...page.matchAll(/<link rel="modulepreload" href="\/assets\/([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(named.sort(), [...needed].filter((path) => path !== "app/main.js").sort());
});

test("every style sheet is used, and the one for phones has the last word", () => {
  const named = [...page.matchAll(/<link rel="stylesheet" href="\/assets\/([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual([...named].sort(), [...inStyle].sort());
  assert.equal(named.at(-1), "style/narrow.css");
});

test("every module is used", () => {
  const needed = imported("app/main.js", new Set());
  assert.deepEqual(inApp.filter((path) => !needed.has(path)), []);
});

test("no module makes markup of a string", () => {
  for (const path of [...inApp, "sw.js"]) {
    const text = readFileSync(join(WEB, path), "utf8");
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, path);
  }
});

test("style sheets do not know left and right, so that pages of both directions are laid out", () => {
  for (const path of inStyle) {
    const text = readFileSync(join(WEB, path), "utf8");
    assert.doesNotMatch(text, /(^|[\s-])(left|right)\s*:|text-align:\s*(left|right)|(^|\s)(width|height|top|bottom):/m, path);
  }
});

test("nothing is inline that the policy of the page refuses", () => {
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
});
