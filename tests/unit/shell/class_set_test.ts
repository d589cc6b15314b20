import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMAND_CLASSES, type CommandClass } from "../../../lib/model/call.ts";
import { fixedWord } from "../../../lib/shell/parse/tree.ts";
import { classesOfVerb } from "../../../lib/shell/programs/class_options.ts";
import { bitsOf, classesIn } from "../../../lib/shell/programs/classes/class_set.ts";
import { Program } from "../../../lib/shell/programs/program.ts";
import { readOptions } from "../../../lib/shell/programs/read_options.ts";

test("a set of classes has each once, in their order, and read only alone", () => {
  for (
    const [given, classes] of [
      [[], []],
      [["read"], ["read"]],
      [["read", "read"], ["read"]],
      [["unknown", "read", "edit"], ["edit", "unknown"]],
      [["secret", "fetch", "secret"], ["fetch", "secret"]],
      [COMMAND_CLASSES, COMMAND_CLASSES.slice(1)],
    ] as readonly (readonly CommandClass[])[][]
  ) {
    assert.deepEqual(classesIn(bitsOf(given!)), classes);
    assert.equal(classesIn(bitsOf(given!)), classesIn(bitsOf(given!)));
    assert.ok(Object.isFrozen(classesIn(bitsOf(given!))));
  }
});

test("the verbs of a table fit whole operands, open ones any behind them", () => {
  const verbs = {
    read: ["top", "get *", "log **", "set image"],
    service: ["get secrets", "drain **"],
    edit: ["set image"],
    code: ["*"],
  } as const;
  const program = new Program({ verbs, class: "read" });
  const classesOf = (line: string) => {
    const words = ["x", ...line.split(" ").filter((word) => word !== "")].map(fixedWord);
    const args = readOptions(words, { program, from: 1, stops: false });
    return classesOfVerb(words, { program, args, from: 1 })?.toSorted();
  };
  for (
    const [line, classes] of [
      ["top", ["code", "read"]],
      ["top x", ["code"]],
      ["get", ["code", "read"]],
      ["get pods", ["code", "read"]],
      ["get a/b", undefined],
      ["get secrets", ["code", "read", "service"]],
      ["get secrets x", ["code", "read"]],
      ["log a/b", ["read"]],
      ["set image", ["code", "edit", "read"]],
      ["set", ["code"]],
      ["drain,top", ["code", "read", "service"]],
      ["top,a/b", undefined],
      ["", ["code"]],
    ] as const
  ) assert.deepEqual(classesOf(line), classes, line);
});
