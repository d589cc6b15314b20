import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { asked, inScene, installed, type Scene } from "../../tests/support/agent_scene.ts";
import { claudeRun } from "./claude_run.ts";
import { beforeCommand, commandQuestion, outputOf } from "./claude_types.ts";

const POLICY = `[permissions]
rules = [
  { pattern = "Bash(touch denied:*)", action = "deny" },
  { pattern = "Bash(touch:*)", action = "allow" },
  { pattern = "Bash(mkdir:*)", action = "ask" },
]
`;
const COMMANDS = [
  "touch allowed",
  "touch denied",
  "mkdir asked",
  "rmdir nothing",
];

/** Somebody who is asked by Claude Code, and which commands they were asked about. */
function person(behavior: "allow" | "deny") {
  const questions: unknown[] = [];
  const canUseTool: NonNullable<Options["canUseTool"]> = (_tool, input) => {
    questions.push(input["command"]);
    return Promise.resolve(
      behavior === "allow" ? { behavior, updatedInput: input } : { behavior, message: "no" },
    );
  };
  return { questions, canUseTool };
}

/** Writes the policy, or another text, as the user's own. */
function write(text: string, { home }: Scene): void {
  const path = join(home, ".config/caliban/permissions.toml");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(
  scene: Scene,
  options: Options,
  commands = COMMANDS,
): Promise<readonly string[]> {
  const { project, home } = scene;
  return claudeRun(project, commands, {
    home,
    settingSources: ["user"],
    ...options,
  });
}

test("what hook install writes decides inside Claude Code", () =>
  inScene(async (scene) => {
    write(POLICY, scene);
    await installed("deno", "claude", scene);
    const { questions, canUseTool } = person("allow");
    const told = await run(scene, { canUseTool });
    const has = (name: string) => existsSync(join(scene.project, name));
    assert.deepEqual([has("allowed"), has("denied"), has("asked")], [
      true,
      false,
      true,
    ]);
    assert.match(
      told[1]!,
      /caliban: the deny rule `Bash\(touch denied:\*\)` denies it/,
    );
    // A call that no rule matches is left to Claude Code, which asks.
    assert.deepEqual(questions, ["mkdir asked", "rmdir nothing"]);
  }));

test("a person's no stops what the hook asks about, whatever Claude Code's own rules allow", () =>
  inScene(async (scene) => {
    write(POLICY, scene);
    await installed("deno", "claude", scene);
    for (const options of [person("deny"), { allowedTools: ["Bash"] }]) {
      await run(scene, options, ["touch denied", "mkdir asked"]);
      assert.equal(existsSync(join(scene.project, "denied")), false);
      assert.equal(existsSync(join(scene.project, "asked")), false);
    }
  }));

const FAULTS: readonly (readonly [name: string, make: (scene: Scene) => void])[] = [
  ["a broken policy", (scene) => write("rules = [", scene)],
  [
    "a copy of caliban that is gone",
    ({ home }) => rmSync(join(home, ".local"), { recursive: true }),
  ],
  ["a runtime that is gone", ({ home }) => {
    const path = join(home, ".claude/settings.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replace(/(?<="command": ")[^ ]+/, "/nowhere/deno"),
    );
  }],
];

test("without the hook Claude Code runs what its rules allow", () =>
  inScene(async (scene) => {
    await run(scene, { allowedTools: ["Bash"] }, ["touch allowed"]);
    assert.equal(existsSync(join(scene.project, "allowed")), true);
  }));

for (const [name, make] of FAULTS) {
  test(`${name} stops the call inside Claude Code, which would allow it`, () =>
    inScene(async (scene) => {
      write(POLICY, scene);
      await installed("deno", "claude", scene);
      make(scene);
      await run(scene, { allowedTools: ["Bash"] }, ["touch allowed"]);
      assert.equal(existsSync(join(scene.project, "allowed")), false);
    }));
}

test("events as the SDK types them are read, and answered in its types", () =>
  inScene(async (scene) => {
    write(POLICY, scene);
    const command = await installed("deno", "claude", scene);
    const events = [
      beforeCommand("touch denied", scene.project),
      commandQuestion("touch allowed", scene.project),
    ];
    const [decision, permission] = await Promise.all(events.map(async (event) => {
      const ended = await asked(command, { scene, input: JSON.stringify(event) });
      assert.equal(ended.status, 0, ended.stderr);
      return outputOf(ended.stdout).hookSpecificOutput;
    }));
    assert.ok(decision?.hookEventName === "PreToolUse");
    assert.equal(decision.permissionDecision, "deny");
    assert.ok(permission?.hookEventName === "PermissionRequest");
    assert.equal(permission.decision.behavior, "allow");
  }));
