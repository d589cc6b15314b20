import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { COMMAND_CLASSES, type CommandClass } from "../../../lib/model/call.ts";
import type { GitState } from "../../../lib/pattern/path/call_path.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import type { Program } from "../../../lib/shell/programs/program.ts";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { filesOf } from "../../support/files_of.ts";
import { ownGit } from "../../support/own_git.ts";

/** The verdict of a command of git in a repository, where all classes are allowed but unknown ones, code and one more. */
function actionOf(command: string, state: Partial<GitState>, without?: CommandClass): string {
  const names = COMMAND_CLASSES.filter((name) =>
    name !== "unknown" && name !== "code" && name !== without
  );
  const policy = policyFromToml(
    ["Write:./**", ...names.map((name) => `Bash(@${name})`)].map((pattern) =>
      `[[permissions.rules]]\npattern = "${pattern}"\naction = "allow"\n`
    ).join(""),
    {
      workspace: "/work",
      home: "/home/ada",
      isSystemProgram: () => true,
      gitRepository: () => "here",
      gitState: () => ({ ...ownGit(["f"]), ...state }),
      textOf: () => null,
      ...filesOf(["f"]),
    },
  );
  return evaluate(policy, { tool: "Bash", input: { command }, cwd: "/work" }).action;
}

/** The sub-commands of git that look for a repository, with their words. */
function subsOf(program: Program, words: string): readonly (readonly [string, Program])[] {
  return Object.keys(program.table.sub ?? {}).flatMap((name) => {
    const sub = program.sub(name)!;
    const found = subsOf(sub, `${words} ${name}`);
    return sub.table.repository === false ? [] : [[`${words} ${name}`, sub] as const, ...found];
  });
}

const subs = subsOf(new ProgramCatalog().program("git")!, "git");

test("no class covers a command of git where the repository's configuration names a program", () => {
  const lines = subs.flatMap(([words, { table }]) => [
    words,
    words.replace(" ", "-"),
    ...(table.flags ?? []).slice(0, 3).map((flag) => `${words} ${flag}`),
  ]);
  const why = "core.fsmonitor names a program";
  assert.deepEqual(lines.filter((line) => actionOf(line, { why }) === "allow"), []);
  assert.ok(lines.filter((line) => actionOf(line, {}) === "allow").length > 50);
});

test("a command of git without a sub-command is judged by its hooks and remotes too", () => {
  for (
    const line of ["git stash", "git stash -u", "git stash -m x", "git-stash", "git stash push"]
  ) {
    assert.equal(actionOf(line, {}, "project"), "allow", line);
    assert.equal(actionOf(line, { hooks: ["post-checkout"] }, "project"), "ask", line);
  }
  for (const line of ["git remote", "git remote -v", "git remote get-url origin", "git-remote"]) {
    assert.equal(actionOf(line, {}, "secret"), "allow", line);
    assert.equal(actionOf(line, { mayHoldSecrets: true }, "secret"), "ask", line);
  }
});

test("a fetch deletes too where the settings of a remote prune, or write other refs than those of a remote", () => {
  for (
    const line of [
      "git fetch",
      "git fetch origin",
      "git fetch --all",
      "git pull",
      "git pull --ff-only",
    ]
  ) {
    assert.equal(actionOf(line, {}, "delete"), "allow", line);
    assert.equal(actionOf(line, { forcesFetch: true }, "delete"), "ask", line);
    assert.equal(actionOf(line, { forcesFetch: true }), "allow", line);
  }
  assert.equal(actionOf("git status", { forcesFetch: true }, "delete"), "allow");
});
