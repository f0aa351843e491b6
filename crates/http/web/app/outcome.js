// @ts-check
/**
 * How an ask ended, in words.
 */

import { say } from "./words.js";

/** @typedef {import("./summary.js").Summary} Summary */

/**
 * One sentence, as the messages on other channels end.
 *
 * @param {Summary} summary
 */
export function outcome({ end, who, channel }) {
  const by = { who: who ?? "", where: channel === null ? "" : say("settled-where", { channel }) };
  switch (end) {
    case "answered":
      return say("settled-answered", by);
    case "skipped":
      return who === null ? say("panel-skipped") : say("settled-skipped", by);
    case "expired":
      return say("settled-expired");
    case "cancelled":
      return say("settled-cancelled");
    case "undelivered":
      return say("settled-undelivered");
    default:
      return say("settled-not-yet");
  }
}
