import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { HELP_OPTIONS, NAMED_OPTIONS, UNNAMED, UNSEEN } from "../../support/shell_options.ts";

test("what the help of a program calls a file, a folder, a program or a URL is seen, but for a list that only shrinks", () => {
  assert.ok(HELP_OPTIONS.length >= 400, `${HELP_OPTIONS.length} options`);
  const unseen = HELP_OPTIONS.filter(({ isSeen }) => !isSeen()).map(({ name }) => name);
  assert.deepEqual(unseen.toSorted(), UNSEEN);
});

test("a program that has a class names each option of its help, but for a list", () => {
  assert.ok(NAMED_OPTIONS.length >= 2_000, `${NAMED_OPTIONS.length} options`);
  const unnamed = NAMED_OPTIONS.filter(({ isNamed }) => !isNamed()).map(({ line }) => line);
  assert.deepEqual(unnamed.toSorted(), UNNAMED);
  assert.ok(unnamed.length < NAMED_OPTIONS.length / 3, `${unnamed.length} unnamed`);
});
