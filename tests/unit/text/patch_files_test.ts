import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { patchFiles } from "../../../lib/text/patch_files.ts";
import rows from "../../cases/agents/patches.json" with { type: "json" };

for (const { patch, changes } of rows) {
  test(`Codex changes no file of ${JSON.stringify(patch)} that is not found in it`, () => {
    const { paths, unread } = patchFiles(patch);
    const found = new Set(paths.map((path) => resolve("/N/ws", path)));
    assert.deepEqual(unread === undefined ? changes.filter((path) => !found.has(path)) : [], []);
  });
}

test("a patch without slips names its files once, and each is one that Codex changes", () => {
  const { paths } = patchFiles(
    "*** Begin Patch\n*** Add File: a.ts\n+*** Add File: b\n*** Update File: src/c d.ts\n@@\n-x\n+y\n*** End Patch\n",
  );
  assert.deepEqual(paths, ["a.ts", "src/c d.ts"]);
});

const UNREAD = [
  "*** Add  File: a",
  "***Add File: a",
  "**** Add File: a",
  "\u200b*** New File: a",
  "*** Rename to: b",
  "+x\r*** Copy File: a",
  "*** Environment ID: other",
];

for (const line of UNREAD) {
  test(`a patch with ${JSON.stringify(line)} cannot be read`, () => {
    assert.notEqual(patchFiles(`*** Begin Patch\n${line}\n*** End Patch`).unread, undefined);
  });
}

const PLAIN = [
  "+*** Copy File: a",
  "-*** x file: y",
  " // *** File: a",
  "*** End of File",
  "***",
  " ***",
];

for (const line of PLAIN) {
  test(`a patch with ${JSON.stringify(line)} can be read`, () => {
    assert.equal(patchFiles(`*** Begin Patch\n${line}\n*** End Patch`).unread, undefined);
  });
}
