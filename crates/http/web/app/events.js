// @ts-check
/**
 * Keeps one stream of events open: connects again with growing pauses, goes on where it left, and notices a connection
 * that died without a word (a machine that slept).
 *
 * Does not know what the events mean.
 */

import { headers } from "./api.js";
import { EventReader, pause } from "./sse.js";

/** askd is never silent for longer than 15 s; after this long the connection is dead, in ms. */
const SILENCE = 40_000;

/** On coming back to the page a connection that was silent for this long is not waited for, in ms. */
const STALE = 20_000;

/**
 * @typedef {object} Listener
 * @property {(fresh: boolean) => void} onOpen `fresh`: nothing is known of what was before
 * @property {(message: import("./sse.js").Message) => void} onMessage
 * @property {() => void} onLost
 * @property {() => void} onSignedOut the stream has ended for good
 */

/**
 * @param {Listener} listener
 * @returns {() => void} stops it
 */
export function follow(listener) {
  const reader = new EventReader();
  let failures = 0;
  let stopped = false;
  let heard = 0;
  let current = new AbortController();
  let wake = () => {};

  async function once() {
    current = new AbortController();
    reader.restart();
    const fresh = reader.lastId === "";
    /** @type {Record<string, string>} */
    const resume = fresh ? {} : { "Last-Event-ID": reader.lastId };
    heard = Date.now();
    const answer = await fetch("/v1/events", {
      headers: { ...headers(), ...resume, Accept: "text/event-stream" },
      cache: "no-store",
      signal: current.signal,
    });
    if (answer.status === 401) {
      stopped = true;
      listener.onSignedOut();
      return;
    }
    if (!answer.ok || !answer.body) throw new Error("no stream");
    const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    listener.onOpen(fresh);
    for (;;) {
      const { value, done } = await pieces.read();
      if (done || stopped) return;
      heard = Date.now();
      failures = 0;
      for (const message of reader.feed(value)) listener.onMessage(message);
    }
  }

  async function run() {
    while (!stopped) {
      try {
        await once();
      } catch {
        // Told below, like an end of the stream.
      }
      if (stopped) return;
      listener.onLost();
      failures += 1;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause(failures, Math.random()));
        wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }

  const watch = setInterval(() => {
    if (Date.now() - heard > SILENCE) current.abort();
  }, 5000);
  const back = () => {
    if (document.visibilityState !== "visible") return;
    if (Date.now() - heard > STALE) current.abort();
    failures = 0;
    wake();
  };
  document.addEventListener("visibilitychange", back);
  window.addEventListener("online", back);
  window.addEventListener("pageshow", back);
  window.addEventListener("askd-retry", back);
  void run();

  return () => {
    stopped = true;
    clearInterval(watch);
    for (const name of ["online", "pageshow", "askd-retry"]) window.removeEventListener(name, back);
    document.removeEventListener("visibilitychange", back);
    current.abort();
    wake();
  };
}
