// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader, pause } from "../app/sse.js";

test("events are read however the stream is cut", () => {
  const stream = 'id: e.1\nevent: ask\ndata: {"a":\ndata: 1}\n\nid: e.2\n: still here\n\nevent: resync\r\ndata: {}\r\n\r\n';
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = new EventReader();
    /** @type {import("../app/sse.js").Message[]} */
    const got = [];
    for (let at = 0; at < stream.length; at += size) got.push(...reader.feed(stream.slice(at, at + size)));
    assert.deepEqual(got, [{ event: "ask", data: '{"a":\n1}' }, { event: "resync", data: "{}" }], `in pieces of ${size}`);
    assert.equal(reader.lastId, "e.2");
  }
});

test("a comment with an id moves on what is asked for after a break", () => {
  const reader = new EventReader();
  assert.deepEqual(reader.feed("id: e.7\nretry: 2000\n: connected\n\n"), []);
  assert.equal(reader.lastId, "e.7");
});

test("an event that a break cut off does not count and is not mixed with the next", () => {
  const reader = new EventReader();
  reader.feed("id: e.1\n: connected\n\nid: e.2\nevent: ask\ndata: {");
  reader.restart();
  assert.equal(reader.lastId, "e.1");
  assert.deepEqual(reader.feed("event: ask\ndata: 2\n\n"), [{ event: "ask", data: "2" }]);
  assert.equal(reader.lastId, "e.1");
});

test("pauses grow from under a second to half a minute, and stay there", () => {
  assert.equal(pause(1, 0), 500);
  assert.equal(pause(1, 1), 1000);
  assert.equal(pause(4, 1), 8000);
  assert.equal(pause(99, 1), 30_000);
});
