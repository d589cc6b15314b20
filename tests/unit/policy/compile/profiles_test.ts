import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolOverride } from "../../../../lib/model/call.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";

const shellOf = (name: string, override: ToolOverride) =>
  toolProfiles(new Map([[name, override]])).get(name).shell;

test("a command tool has the shell that its table says, and POSIX without one", () => {
  assert.equal(shellOf("PowerShell", { kind: "command", shell: "other" }), "other");
  assert.equal(shellOf("PowerShell", { kind: "command", shell: "posix" }), undefined);
  assert.equal(shellOf("Terminal", { kind: "command" }), undefined);
  assert.equal(shellOf("Bash", { shell: "other" }), "other");
  assert.equal(shellOf("Bash", { shell: "posix" }), undefined);
});

test("a tool of another kind has no shell", () => {
  assert.equal(shellOf("New", { shell: "other" }), undefined);
  assert.equal(shellOf("Write", { shell: "other" }), undefined);
  assert.equal(shellOf("Bash", { kind: "text", shell: "other" }), undefined);
});

test("what a table does not say stays as it is", () => {
  const profiles = toolProfiles(new Map([["Bash", { class: "read", shell: "other" }]]));
  const { kind, firstArg } = toolProfiles(new Map()).get("Bash");
  assert.deepEqual(
    [profiles.get("Bash").kind, profiles.get("Bash").firstArg, profiles.get("Bash").class],
    [kind, firstArg, "read"],
  );
  assert.deepEqual(profiles.get("Write"), toolProfiles(new Map()).get("Write"));
});
