// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { isElsewhere, splitMarker, summaryOf } from "../app/summary.js";

/** @type {import("../app/ask.js").Ask} */
const ASK = {
  id: "a", status: "answered", agent: "build-bot", session: null, context: null,
  questions: [{ id: "target", header: "Target", question: "Where?", options: [{ label: "Staging" }, { label: "Production" }], multiSelect: true }],
  createdAt: "2026-12-01T09:00:00Z", deadline: "2026-12-01T09:15:00Z",
  result: {
    status: "answered", answers: { answers: { target: ["Staging", "and tell Omid"] } },
    settledBy: { name: "Sara", channel: "telegram", how: "tap" }, settledAt: "2026-12-01T09:10:00Z", freeText: ["target"],
  },
};

test("labels and own words are told apart by being a label, character for character", () => {
  const summary = summaryOf(ASK);
  assert.deepEqual(summary.questions[0].values, [{ text: "Staging", own: false }, { text: "and tell Omid", own: true }]);
  assert.equal(summary.at, "2026-12-01T09:10:00Z");
});

test("an answer from another place or person is one from elsewhere", () => {
  const summary = summaryOf(ASK);
  assert.equal(isElsewhere(summary, "Sara"), true);
  assert.equal(isElsewhere({ ...summary, channel: "panel" }, "Sara"), false);
  assert.equal(isElsewhere({ ...summary, channel: "panel" }, "Omid"), true);
});

test("an ask without an answer has no values, and one that expired did so at its deadline", () => {
  const summary = summaryOf({ ...ASK, status: "expired", result: { status: "no_answer", reason: "expired" } });
  assert.deepEqual(summary.questions[0].values, []);
  assert.equal(summary.who, null);
  assert.equal(summary.at, ASK.deadline);
});

test("a label in two parts is the label", () => {
  const markers = "(Recommended) | (Preferred)";
  assert.deepEqual(splitMarker("Staging (Recommended)", markers), ["Staging ", "(Recommended)"]);
  assert.deepEqual(splitMarker("Staging (recommended)", markers), ["Staging ", "(recommended)"]);
  assert.deepEqual(splitMarker("(Recommended)", markers), ["(Recommended)", ""]);
  assert.deepEqual(splitMarker("Staging", markers), ["Staging", ""]);
});
