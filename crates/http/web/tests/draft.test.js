// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import * as draft from "../app/draft.js";

/** @type {import("../app/ask.js").Question} */
const TARGET = { id: "target", header: "Target", question: "Where?", options: [{ label: "Staging" }, { label: "Production" }], multiSelect: false };
/** @type {import("../app/ask.js").Question} */
const ALERTS = { id: "alerts", header: "Alerts", question: "Who?", options: [{ label: "Ops" }, { label: "Developers" }, { label: "Support" }], multiSelect: true };
/** @type {import("../app/ask.js").Ask} */
const ASK = {
  id: "a", status: "pending", agent: "build-bot", session: null, context: null, questions: [TARGET, ALERTS],
  createdAt: "2026-12-01T09:00:00Z", deadline: "2026-12-01T09:15:00Z", result: null,
};

test("own words take the place of a single choice, and a choice that of own words, whose text is kept", () => {
  let it = draft.choose(draft.empty(), TARGET, 0);
  it = draft.write(it, TARGET, " ask Omid ");
  assert.deepEqual(draft.values(it, TARGET), ["ask Omid"]);
  it = draft.choose(it, TARGET, 1);
  assert.deepEqual(draft.values(it, TARGET), ["Production"]);
  assert.equal(draft.part(it, TARGET).own, " ask Omid ");
  it = draft.takeOwn(it, TARGET);
  assert.deepEqual(draft.values(it, TARGET), ["ask Omid"]);
});

test("several choices and own words go together, in declared order, own words last", () => {
  let it = draft.choose(draft.empty(), ALERTS, 2);
  it = draft.write(it, ALERTS, "and Omid");
  it = draft.choose(it, ALERTS, 0);
  assert.deepEqual(draft.values(it, ALERTS), ["Ops", "Support", "and Omid"]);
  it = draft.choose(it, ALERTS, 2);
  assert.deepEqual(draft.values(it, ALERTS), ["Ops", "and Omid"]);
});

test("blanks alone are no own words", () => {
  const it = draft.write(draft.choose(draft.empty(), TARGET, 0), TARGET, "  \n");
  assert.deepEqual(draft.values(it, TARGET), ["Staging"]);
  assert.equal(draft.isReady(draft.write(draft.empty(), TARGET, " "), TARGET), false);
});

test("own words that are too long are not ready, counted in characters and not in UTF-16 units", () => {
  const it = draft.write(draft.empty(), TARGET, "👍".repeat(draft.LONGEST));
  assert.equal(draft.excess(it, TARGET), 0);
  assert.equal(draft.isReady(draft.write(it, TARGET, "👍".repeat(draft.LONGEST + 2)), TARGET), false);
  assert.equal(draft.excess(draft.write(it, TARGET, "👍".repeat(draft.LONGEST + 2)), TARGET), 2);
});

test("what is sent has every question, and what is missing is told by its place", () => {
  const it = draft.choose(draft.empty(), ALERTS, 1);
  assert.deepEqual(draft.unready(it, ASK), [0]);
  assert.deepEqual(draft.answers(draft.choose(it, TARGET, 0), ASK), { target: ["Staging"], alerts: ["Developers"] });
});

test("a draft comes back from storage as it was", () => {
  let it = draft.goTo(draft.write(draft.choose(draft.empty(), ALERTS, 1), TARGET, "later"), 1);
  it = draft.withReply(it, "1: 2");
  assert.deepEqual(draft.revive(JSON.parse(JSON.stringify(it)), ASK), it);
});

test("what does not fit the ask is left out of a kept draft", () => {
  const kept = { parts: { target: { chosen: [0, 7, -1, "x"], own: 5, usesOwn: true }, gone: { chosen: [0] }, alerts: null }, step: 9, reply: 3 };
  const it = draft.revive(kept, ASK);
  assert.deepEqual(draft.values(it, TARGET), ["Staging"]);
  assert.equal(it.step, 1);
  assert.equal(it.reply, "");
  for (const nothing of [null, 3, "x", [], { parts: [] }]) assert.equal(draft.isEmpty(draft.revive(nothing, ASK)), true);
});

test("what was answered elsewhere becomes a draft: labels chosen, the rest in own words", () => {
  const it = draft.withStored(draft.empty(), ASK, { alerts: ["Ops", "and Omid"] });
  assert.deepEqual(draft.values(it, ALERTS), ["Ops", "and Omid"]);
  assert.deepEqual(draft.values(it, TARGET), []);
  const before = draft.choose(draft.choose(draft.empty(), TARGET, 0), ALERTS, 2);
  const after = draft.withStored(before, ASK, { alerts: ["Ops"] });
  assert.deepEqual(draft.answers(after, ASK), { target: ["Staging"], alerts: ["Ops"] });
});

test("what a reply answered is chosen, over what was, and the first open question is in front", () => {
  const before = draft.choose(draft.choose(draft.empty(), TARGET, 0), ALERTS, 0);
  const it = draft.withStored(draft.choose(before, ALERTS, 0), ASK, { [TARGET.id]: ["Production"] });
  assert.deepEqual(draft.values(it, TARGET), ["Production"]);
  assert.deepEqual(draft.values(it, ALERTS), [], "what the reply did not answer stays as it was");
  assert.equal(it.step, 1);
});

test("ids that name parts of every object are ids like others", () => {
  const odd = { ...TARGET, id: "constructor" };
  assert.deepEqual(draft.values(draft.empty(), odd), []);
  assert.deepEqual(draft.values(draft.choose(draft.empty(), odd, 1), odd), ["Production"]);
});

test("own words that can no longer be sent are given back", () => {
  const it = draft.withReply(draft.write(draft.empty(), TARGET, "ask Omid"), "or me");
  assert.equal(draft.ownWords(it), "ask Omid\n\nor me");
  assert.equal(draft.ownWords(draft.choose(draft.empty(), TARGET, 0)), "");
});
