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

/**
 * @param {readonly Node[]} nodes
 * @param {number} depth
 * @returns {Child[]}
 */
function all(nodes, depth) {
  return nodes.map((node) => one(node, depth));
}

/**
 * @param {Node} node
 * @param {number} depth
 * @returns {Child}
 */
function one(node, depth) {
  if (depth > DEEPEST) return plain(node);
  const inner = () => all(node.c ?? [], depth + 1);
  switch (node.t) {
    case "text":
      return node.text ?? "";
    case "p":
      return html`<p dir="auto">${inner()}</p>`;
    case "h":
      return html`<p class="md-heading" role="heading" aria-level=${Math.min(6, 2 + (node.level ?? 1))} dir="auto">${inner()}</p>`;
    case "ul":
      return html`<ul dir="auto">${inner()}</ul>`;
    case "ol":
      return html`<ol dir="auto" start=${node.start ?? 1}>${inner()}</ol>`;
    case "li":
      return html`<li dir="auto">${inner()}</li>`;
    case "quote":
      return html`<blockquote dir="auto">${inner()}</blockquote>`;
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
      return html`<th dir="auto">${inner()}</th>`;
    case "td":
      return html`<td dir="auto">${inner()}</td>`;
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
  return nodes === null ? html`<p class="md-raw" dir="auto">${ask.context}</p>` : all(nodes, 0);
}
