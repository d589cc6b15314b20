import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadHook } from "../../lib/agents/registry.ts";
import { agentCommand } from "../../lib/cli/write/agent_settings.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import type { Verb } from "../../lib/cli/args/verb.ts";
import { CLI, commandOf, type Ended, finish, unwrapped, without } from "../support/process.ts";
import { sample } from "../support/cases.ts";
import { commitAll } from "../support/git_repo.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";

const DENO = [commandOf("deno"), "run", "--quiet", "--no-prompt", "--cached-only"];
const NEEDS = { skip: without("deno") };

/** Everything that Deno can be asked for. */
const ALL = ["read", "write", "env", "net", "run", "sys", "ffi", "import"];

/** A command line of each verb that does its whole work, and how it ends. */
const LINES: ReadonlyMap<string, readonly [argv: readonly string[], status: number]> = new Map([
  ["perms check", [["Bash", "git push"], 0]],
  ["perms explain", [["Write", "docs/a.md"], 0]],
  ["perms list", [[], 0]],
  ["perms add", [["Bash(npm test:*)", "allow"], 0]],
  ["perms remove", [["Bash(git push:*)"], 0]],
  ["perms import", [["--from", "x.rules", "--scope", "project"], 0]],
  ["perms export", [[], 0]],
  ["perms fmt", [["b.toml"], 0]],
  ["perms lint", [["--max-warnings", "9"], 0]],
  ["perms test", [["a.perms.toml"], 0]],
  ["perms diff", [["git:HEAD", "."], 0]],
  ["perms replay", [["calls.jsonl", "--against", "git:HEAD"], 0]],
  ["perms suggest", [["calls.jsonl"], 0]],
  ["perms audit", [[], 0]],
  ["init", [["--scope", "user"], 0]],
  ["trust", [["--yes"], 0]],
  ["auto eval", [["calls.jsonl", "--model", "m", "--base-url", "http://127.0.0.1:2/v1"], 0]],
  ["hook", [["claude"], 0]],
  ["hook install", [["claude"], 0]],
  ["hook update", [["claude"], 0]],
  ["hook uninstall", [["claude"], 0]],
  // The hook of this test is no line that caliban writes, which is a fault.
  ["doctor", [[], 1]],
  ["mcp", [["--server", "x", "--", "cat"], 0]],
  ["mcp trust", [[], 0]],
  ["hook try", [["SessionStart", "--command", "true"], 0]],
  ["schema", [["decision"], 0]],
  ["completions", [["patterns"], 0]],
]);

const POLICY = `[permissions]
shell = "literal"

[[permissions.rules]]
pattern = "Bash(git push:*)"
action = "allow"

[[permissions.rules]]
pattern = "Write:docs/**"
action = "deny"
`;

const TESTS = '[[tests]]\ncall = "Bash:git push"\nexpect = "allow"\n';

/** A call that no list decides, so that a model is asked. */
const LABELLED = '{"tool":"Bash","input":{"command":"make"},"expect":"soft_deny"}\n';

/** Settings of an agent with a hook that does what the doctor wants of one. */
const SETTINGS = JSON.stringify({
  hooks: {
    PreToolUse: [{
      matcher: "*",
      hooks: [{
        type: "command",
        command: agentCommand("claude", {
          words: ["/bin/sh", "-c", `case "$(/bin/cat)" in *denied*|*'": '*) exit 2; esac; exit 42`],
          file: "/bin/sh",
          hook: await loadHook("claude"),
        }),
        timeout: 30,
      }],
    }],
  },
});

/** The event that an agent gives to its hook. */
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git push" },
});

/** Runs a verb's command line in a new workspace, under Deno with these flags only. */
function runWith(flags: readonly string[], verb: Verb): Promise<Ended> {
  const [argv] = LINES.get(verb.path.join(" ")) ?? [[]];
  return withTempDir(async (folder) => {
    const cwd = join(folder, "work");
    mkdirSync(join(cwd, ".caliban"), { recursive: true });
    mkdirSync(join(folder, "home"));
    writeFileSync(join(cwd, ".caliban/permissions.toml"), POLICY);
    writeFileSync(join(cwd, "b.toml"), "[permissions]\nenforce=true\n");
    writeFileSync(join(cwd, "calls.jsonl"), LABELLED);
    writeFileSync(join(cwd, "a.perms.toml"), TESTS);
    writeFileSync(join(cwd, "x.rules"), 'prefix_rule(pattern = ["npm", "test"])\n');
    if (verb.permissions.includes("run=git")) commitAll(cwd);
    mkdirSync(join(folder, "home/.claude"));
    writeFileSync(join(folder, "home/.claude/settings.json"), SETTINGS);
    await trustAtHome(cwd, join(folder, "home"));
    const words = [...DENO, ...flags, CLI];
    const env = { HOME: join(folder, "home") };
    return await finish([...words, ...verb.path, ...argv], { cwd, env, input: EVENT });
  });
}

/** `run` of `run=git`. */
function kindOf(permission: string): string {
  return permission.split("=")[0] ?? permission;
}

test("every verb has a command line here", () => {
  const names = VERBS.map(({ path }) => path.join(" "));
  assert.deepEqual([...LINES.keys()].toSorted(), names.toSorted());
});

/** Permissions that a verb needs only for what it finds: a hook of ours to change; completions say nothing where they cannot look. */
const IF_FOUND: Readonly<Record<string, readonly string[]>> = {
  "hook update": ["write"],
  "hook uninstall": ["write"],
  completions: ["env"],
};

for (const verb of sample(VERBS, 5, 12)) {
  const name = verb.path.join(" ");
  const allowed = verb.permissions.map((permission) => `--allow-${permission}`);

  test(`with its permissions, and every other denied, works: ${name}`, NEEDS, async () => {
    const kinds = verb.permissions.map(kindOf);
    const denied = ALL.filter((kind) => !kinds.includes(kind)).map((kind) => `--deny-${kind}`);
    const [, status] = LINES.get(name) ?? [];
    const ended = await runWith([...allowed, ...denied], verb);
    assert.equal(ended.status, status, ended.stderr);
    assert.doesNotMatch(ended.stderr, /--allow-|error/);
    assert.notEqual(ended.stdout, "");
  });

  // An agent's hook answers the agent: tests/io/agent_hooks_test.ts has that.
  for (const missing of name === "hook" ? [] : verb.permissions) {
    if (IF_FOUND[name]?.includes(missing)) continue;
    test(`without --allow-${missing} says so: ${name}`, NEEDS, async () => {
      const others = verb.permissions.filter((permission) => permission !== missing);
      const ended = await runWith(others.map((permission) => `--allow-${permission}`), verb);
      assert.equal(ended.status, 64, ended.stderr);
      assert.equal(ended.stdout, "");
      assert.match(
        unwrapped(ended.stderr),
        new RegExp(`^error: .*: run with .*--allow-${missing}`, "m"),
      );
      assert.doesNotMatch(ended.stderr, /a bug|Allow\?/);
    });
  }
}

test("a stream needs no more than one call does", NEEDS, () =>
  withTempDir(async (folder) => {
    const flags = ["--allow-read", "--allow-env", ...ALL.slice(3).map((kind) => `--deny-${kind}`)];
    const words = [...DENO, ...flags, CLI];
    const { status, stdout } = await finish([...words, "check", "--stdin"], {
      cwd: folder,
      env: { HOME: folder },
      input: '{"tool":"Read","input":{"path":"a"}}\n',
    });
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).decision, "allow");
  }));

test(
  "lint --fix says that it needs to write, and leaves the file as it is",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      const path = join(folder, ".caliban/permissions.toml");
      const rule = '[[permissions.rules]]\npattern = "Bash:git x"\naction = "deny"\n';
      mkdirSync(join(folder, ".caliban"));
      writeFileSync(path, rule + rule);
      const words = [...DENO, "--allow-read", "--allow-env", CLI];
      const argv = [...words, "perms", "lint", "--fix", "--select", "duplicate", "--no-user"];
      const ended = await finish(argv, { cwd: folder, env: { HOME: folder } });
      assert.equal(ended.status, 64, ended.stdout);
      assert.match(unwrapped(ended.stderr), /^error: Cannot write ".*": run with .*--allow-write/m);
      assert.equal(readFileSync(path, "utf8"), rule + rule);
    }),
);
