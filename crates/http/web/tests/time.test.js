// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import * as time from "../app/time.js";

const NOON = Date.parse("2026-12-01T12:00:00Z");

test("what is left is shown as a clock, in the digits of the language, and 0:00 only when it is over", () => {
  assert.equal(time.clock(245_000, "en"), "4:05");
  assert.equal(time.clock(245_000, "fa"), "۴:۰۵");
  assert.equal(time.clock(3_600_000, "en"), "1:00:00");
  assert.equal(time.clock(1, "en"), "0:01");
  assert.equal(time.clock(0, "en"), "0:00");
});

test("nothing is left after the deadline", () => {
  assert.equal(time.left("2026-12-01T11:59:00Z", NOON), 0);
  assert.equal(time.left("2026-12-01T12:00:30Z", NOON), 30_000);
});

test("the last minute is told once", () => {
  assert.equal(time.passesLastMinute(61_000, 60_000), true);
  assert.equal(time.passesLastMinute(60_000, 59_000), false);
  assert.equal(time.passesLastMinute(900_000, 0), false);
});

test("a time has its day only where that is another one, in the reader's zone and calendar", () => {
  const reader = { language: "en", zone: "Asia/Tehran", now: NOON };
  assert.equal(time.moment("2026-12-01T09:30:00Z", reader), "13:00");
  assert.match(time.moment("2026-11-30T09:30:00Z", reader), /30/);
  const persian = time.moment("2026-11-30T09:30:00Z", { ...reader, language: "fa" });
  assert.match(persian, /آذر/);
  assert.match(persian, /۱۳:۰۰/);
});

test("today and yesterday have names", () => {
  const reader = { language: "en", zone: "UTC", now: NOON };
  assert.equal(time.dayName("2026-12-01T00:10:00Z", reader), "today");
  assert.equal(time.dayName("2026-11-30T23:50:00Z", reader), "yesterday");
  assert.match(time.dayName("2026-11-20T12:00:00Z", reader), /November/);
});

test("a zone that the browser does not know is its own", () => {
  assert.equal(time.knownZone("Mars/Olympus"), undefined);
  assert.equal(time.knownZone("Asia/Tehran"), "Asia/Tehran");
  assert.equal(time.knownZone(null), undefined);
});
