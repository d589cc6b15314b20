import assert from "node:assert/strict";
import { test } from "node:test";
import { furtherFolders } from "../../../../lib/policy/compile/call_folders.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";
import { touchesFiles } from "../../../../lib/policy/compile/tool_groups.ts";

test("tools that read or edit files by paths, or search them, are those that touch files", () => {
  const touching = toolProfiles(new Map()).known.filter(touchesFiles).map(({ name }) => name);
  assert.deepEqual(touching, [
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Grep",
    "Glob",
  ]);
});

test("an input that is no object names no folder", () => {
  for (const input of [undefined, null, 5, "cwd", true]) {
    assert.deepEqual(furtherFolders(input as never, { cwd: "/work" }), []);
  }
  assert.deepEqual(furtherFolders({ cwd: "/srv" }, { cwd: "/work" }), [
    { key: "cwd", folder: "/srv" },
  ]);
});
