// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { isLink, outline } from "../app/markdown.js";

/** @param {number} level */
const heading = (level) => ({ t: "h", level, c: [{ t: "text", text: "x" }] });

/** @param {number[]} levels as an agent wrote them */
function shown(...levels) {
  const nodes = levels.map(heading);
  const depths = outline(nodes);
  return nodes.map((node) => depths.get(node));
}

test("the headings of a background begin on the level of the questions, whatever level an agent begins with", () => {
  assert.deepEqual(shown(1), [2]);
  assert.deepEqual(shown(4), [2]);
});

test("no heading is more than one level below the one before it", () => {
  assert.deepEqual(shown(1, 3, 2, 6), [2, 3, 3, 4]);
  assert.deepEqual(shown(3, 1, 2), [2, 2, 3]);
});

test("headings of one level stay on one level", () => {
  assert.deepEqual(shown(2, 2, 4, 4, 2), [2, 2, 3, 3, 2]);
});

test("there is no level beyond six", () => {
  assert.deepEqual(shown(1, 2, 3, 4, 5, 6), [2, 3, 4, 5, 6, 6]);
});

test("a heading in a quotation stands in the same order", () => {
  const inner = heading(5);
  const nodes = [heading(1), { t: "quote", c: [inner] }];
  assert.equal(outline(nodes).get(inner), 3);
});

test("a link leads to a page or to a mail", () => {
  assert.ok(isLink("https://example.org") && isLink("mailto:a@example.org"));
  assert.ok(!isLink("javascript:alert(1)") && !isLink("data:text/html,x") && !isLink(undefined));
});
