// @ts-check
/**
 * The background of an ask, from the tree that askd made of its Markdown.
 *
 * Only the node types listed here become elements; whatever else comes is shown by its text. Addresses are looked at
 * again, although askd has done so.
 */

import { html, useEffect, useState } from "./view.js";
import { askPath, call } from "./api.js";

/** @typedef {import("./view.js").Child} Child */
/**
 * @typedef {object} Node
 * @property {string} t
 * @property {Node[]} [c]
 * @property {string} [text]
 * @property {string} [href]
 * @property {number} [level]
 * @property {number} [start]
 */

/** Deeper nesting than this is flattened to text. */
const DEEPEST = 24;

/** The level of the outermost heading of a background: that of the questions, before which it stands. */
const TOP = 2;

/** How deep each heading stands, as {@link outline} found. */
const depths = /** @type {WeakMap<Node, number>} */ (new WeakMap());

/**
 * Notes how deep each heading stands. Agents begin with any level and leave some out; who moves from heading to heading
 * by ear is to meet no gap, so a heading is one level below the nearest one before it that is above it.
 *
 * @param {readonly Node[]} nodes
 * @param {number[]} above the levels, as written, that the place is below
 */
export function outline(nodes, above = []) {
  for (const node of nodes) {
    if (node.t === "h") {
      const level = node.level ?? 1;
      while ((above.at(-1) ?? 0) >= level) above.pop();
      depths.set(node, Math.min(6, TOP + above.length));
      above.push(level);
    }
    outline(node.c ?? [], above);
  }
  return depths;
}

/**
 * @param {readonly Node[]} nodes
 * @param {number} depth
 * @param {boolean} within a list or a quotation, which goes one way as a whole: looking for the way of a block, browsers
 *   pass over what has a `dir` of its own
 * @returns {Child[]}
 */
function all(nodes, depth, within) {
  return nodes.map((node) => one(node, depth, within));
}

/**
 * @param {Node} node
 * @param {number} depth
 * @param {boolean} within
 * @returns {Child}
 */
function one(node, depth, within) {
  if (depth > DEEPEST) return plain(node);
  const inner = () => all(node.c ?? [], depth + 1, within);
  const whole = () => all(node.c ?? [], depth + 1, true);
  const way = within ? undefined : "auto";
  switch (node.t) {
    case "text":
      return node.text ?? "";
    case "p":
      return html`<p dir=${way}>${inner()}</p>`;
    case "h":
      return html`<p class="md-heading" role="heading" aria-level=${depths.get(node) ?? TOP} dir=${way}>${inner()}</p>`;
    case "ul":
      return html`<ul dir=${way}>${whole()}</ul>`;
    case "ol":
      return html`<ol dir=${way} start=${node.start ?? 1}>${whole()}</ol>`;
    case "li":
      return html`<li dir=${way}>${inner()}</li>`;
    case "quote":
      return html`<blockquote dir=${way}>${whole()}</blockquote>`;
    case "pre":
      return html`<pre dir="ltr" tabindex="0">${node.text ?? plain(node)}</pre>`;
    case "code":
      return html`<code dir="ltr">${node.text ?? plain(node)}</code>`;
    case "em":
      return html`<em>${inner()}</em>`;
    case "strong":
      return html`<strong>${inner()}</strong>`;
    case "del":
      return html`<del>${inner()}</del>`;
    case "a":
      return isLink(node.href)
        ? html`<a href=${node.href} target="_blank" rel="noopener noreferrer nofollow">${inner()}</a>`
        : inner();
    case "br":
      return html`<br />`;
    case "hr":
      return html`<hr />`;
    case "table":
      return html`<div class="md-table" dir="auto" tabindex="0"><table>${inner()}</table></div>`;
    case "tr":
      return html`<tr>${inner()}</tr>`;
    case "th":
      return html`<th dir=${way}>${inner()}</th>`;
    case "td":
      return html`<td dir=${way}>${inner()}</td>`;
    default:
      return node.c ? inner() : (node.text ?? "");
  }
}

/**
 * @param {Node} node
 * @returns {string}
 */
function plain(node) {
  return node.text ?? (node.c ?? []).map(plain).join("");
}

/**
 * @param {string | undefined} href
 */
export function isLink(href) {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href);
}

/** What was read; an ask's background does not change. */
const known = new Map();

/** @param {{ask: import("./ask.js").Ask}} props */
export function Background({ ask }) {
  const [nodes, setNodes] = useState(/** @type {Node[] | null} */ (known.get(ask.id) ?? null));
  useEffect(() => {
    if (ask.context === null || nodes !== null) return undefined;
    let gone = false;
    call("GET", `${askPath(ask.id)}/context`).then(
      (tree) => {
        outline(tree);
        known.set(ask.id, tree);
        if (!gone) setNodes(tree);
      },
      // Without the tree the text as it was written says the same.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [ask.id]);
  if (ask.context === null) return null;
  return nodes === null ? html`<p class="md-raw" dir="auto">${ask.context}</p>` : all(nodes, 0, false);
}
