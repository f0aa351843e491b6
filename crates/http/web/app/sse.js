// @ts-check
/**
 * Reads server-sent events out of the pieces in which they arrive (WHATWG HTML, "Interpreting an event stream").
 *
 * Pure. The browser's own EventSource is not used because it forgets the last id when it gives up, hides the status of
 * a refusal, and does not show the comments that tell a quiet connection from a dead one.
 */

/** @typedef {{event: string, data: string}} Message */

export class EventReader {
  #rest = "";
  #event = "";
  /** @type {string[]} */
  #data = [];
  #id = "";
  /** To be sent as `Last-Event-ID` on the next connection; of comments too, which move it on. */
  lastId = "";

  /**
   * @param {string} text the next piece; may end anywhere
   * @returns {Message[]} what is complete now
   */
  feed(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    /** @type {Message[]} */
    const complete = [];
    for (const line of lines) {
      if (line === "") {
        this.lastId = this.#id;
        if (this.#data.length > 0) complete.push({ event: this.#event || "message", data: this.#data.join("\n") });
        this.#event = "";
        this.#data = [];
      } else {
        this.#field(line);
      }
    }
    return complete;
  }

  /** A new connection begins; what the old one left unfinished will come again. */
  restart() {
    this.#rest = "";
    this.#event = "";
    this.#data = [];
    this.#id = this.lastId;
  }

  /** @param {string} line */
  #field(line) {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }
}

/**
 * How long to wait before the next try, in ms: doubles from one second to half a minute, and is spread so that many
 * pages do not come back in the same moment.
 *
 * @param {number} failures in a row, from 1
 * @param {number} chance 0 to 1
 */
export function pause(failures, chance) {
  const longest = Math.min(30_000, 1000 * 2 ** Math.min(failures - 1, 10));
  return longest / 2 + (longest / 2) * chance;
}
