// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { direction, intent, marks, sends } from "../app/keys.js";

const ANYWHERE = { inText: false, onControl: false, marks: ["1", "2", "3"] };
const IN_TEXT = { ...ANYWHERE, inText: true };

test("a number chooses, in the digits of any of our keyboards", () => {
  for (const key of ["2", "۲", "٢"]) assert.deepEqual(intent({ key }, ANYWHERE), { kind: "choose", index: 1 });
  assert.equal(intent({ key: "4" }, ANYWHERE), null);
  assert.equal(intent({ key: "a" }, ANYWHERE), null);
});

test("no key chooses while somebody types, holds a modifier, or an input method has it", () => {
  assert.equal(intent({ key: "2" }, IN_TEXT), null);
  for (const held of ["ctrlKey", "metaKey", "altKey"]) assert.equal(intent({ key: "2", [held]: true }, ANYWHERE), null, held);
  assert.equal(intent({ key: "2", isComposing: true }, ANYWHERE), null);
  assert.equal(intent({ key: "2", keyCode: 229 }, ANYWHERE), null);
  assert.equal(intent({ key: "2", repeat: true }, ANYWHERE), null);
});

test("Enter goes onward, but not in a text field, on a button, held down, or while composing", () => {
  assert.deepEqual(intent({ key: "Enter" }, ANYWHERE), { kind: "onward" });
  assert.equal(intent({ key: "Enter" }, IN_TEXT), null);
  assert.equal(intent({ key: "Enter" }, { ...ANYWHERE, onControl: true }), null);
  assert.equal(intent({ key: "Enter", repeat: true }, ANYWHERE), null);
  assert.equal(intent({ key: "Enter", isComposing: true }, ANYWHERE), null);
});

test("Enter with Ctrl or Cmd goes onward from a text field too, unless composing", () => {
  assert.deepEqual(intent({ key: "Enter", ctrlKey: true }, IN_TEXT), { kind: "onward" });
  assert.deepEqual(intent({ key: "Enter", metaKey: true }, IN_TEXT), { kind: "onward" });
  assert.equal(intent({ key: "Enter", ctrlKey: true, keyCode: 229 }, IN_TEXT), null);
});

test("Escape folds, from a text field too, but not while composing", () => {
  assert.deepEqual(intent({ key: "Escape" }, IN_TEXT), { kind: "fold" });
  assert.equal(intent({ key: "Escape", isComposing: true }, IN_TEXT), null);
});

test("Enter sends a message, and with Shift or while composing does not", () => {
  assert.equal(sends({ key: "Enter" }), true);
  assert.equal(sends({ key: "Enter", shiftKey: true }), false);
  assert.equal(sends({ key: "Enter", isComposing: true }), false);
  assert.equal(sends({ key: "Enter", keyCode: 229 }), false);
});

test("arrows go with the writing", () => {
  assert.equal(direction({ key: "ArrowRight" }, false), 1);
  assert.equal(direction({ key: "ArrowRight" }, true), -1);
  assert.equal(direction({ key: "ArrowLeft" }, true), 1);
  assert.equal(direction({ key: "ArrowDown" }, true), 1);
  assert.equal(direction({ key: "ArrowDown", ctrlKey: true }, true), 0);
});

test("options have numbers, and letters where a label begins with the number of another place", () => {
  assert.deepEqual(marks(["Staging", "Production"]), ["1", "2", "3"]);
  assert.deepEqual(marks(["1 hour", "2 hours"]), ["1", "2", "3"]);
  assert.deepEqual(marks(["3", "1"]), ["A", "B", "O"]);
  assert.deepEqual(marks(["۳ ساعت", "روز"]), ["A", "B", "O"]);
  assert.deepEqual(marks(["10", "B"]), ["P", "Q", "O"]);
});

test("a letter on the caps chooses in either case", () => {
  assert.deepEqual(intent({ key: "b" }, { ...ANYWHERE, marks: ["A", "B", "O"] }), { kind: "choose", index: 1 });
  assert.equal(intent({ key: "2" }, { ...ANYWHERE, marks: ["A", "B", "O"] }), null);
});
