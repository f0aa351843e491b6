// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { dockNext, inOrder, merge, sessionId, sessionKey, sessionsOf } from "../app/ask.js";

/**
 * @param {string} id
 * @param {Partial<import("../app/ask.js").Ask>} [more]
 * @returns {import("../app/ask.js").Ask}
 */
function ask(id, more = {}) {
  return {
    id, status: "pending", agent: "build-bot", session: { id: "s", title: null }, context: null, questions: [],
    createdAt: `2026-12-01T09:00:0${id}Z`, deadline: "2026-12-01T09:15:00Z", result: null, ...more,
  };
}

test("an ask that is over stays over, whatever comes late", () => {
  const known = merge(new Map(), [ask("1", { status: "answered" })]);
  assert.equal(merge(known, [ask("1")]).get("1")?.status, "answered");
  assert.equal(merge(merge(new Map(), [ask("1")]), [ask("1", { status: "skipped" })]).get("1")?.status, "skipped");
});

test("the docked ask stays as long as it is open, and a new one does not take its place", () => {
  assert.equal(dockNext([ask("1"), ask("2")], "2"), "2");
  assert.equal(dockNext([ask("1"), ask("2"), ask("3")], null), "1");
});

test("after the docked ask comes the next one, else the first", () => {
  assert.equal(dockNext([ask("1"), ask("3")], "2"), "3");
  assert.equal(dockNext([ask("1")], "2"), "1");
  assert.equal(dockNext([], "2"), null);
});

test("asks without a session are kept by their agent, and a session is no agent of the same name", () => {
  const alone = ask("1", { session: null, agent: "s" });
  assert.notEqual(sessionKey(alone), sessionKey(ask("2")));
  assert.equal(sessionId(sessionKey(alone)), null);
  assert.equal(sessionId(sessionKey(ask("2"))), "s");
  assert.deepEqual(inOrder([ask("2"), alone], sessionKey(alone)), [alone]);
});

test("the session with the latest ask is first, and its open asks are counted", () => {
  const list = sessionsOf([ask("3"), ask("1", { session: { id: "t", title: "T" } }), ask("2", { status: "answered" })]);
  assert.deepEqual(list.map(({ name, open }) => [name, open]), [["s", 1], ["T", 1]]);
});
