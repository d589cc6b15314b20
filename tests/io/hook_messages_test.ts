import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sampleEvent } from "../support/agents.ts";
import { asked, inScene, installed, type Scene } from "../support/agent_scene.ts";
import { sample } from "../support/cases.ts";
import { without } from "../support/process.ts";

/** The folder of the copy that a scene's hook starts. */
function copyIn({ home }: Scene): string {
  const hooks = join(home, ".local/share/caliban/hooks");
  return join(hooks, readdirSync(hooks).find((name) => /^[0-9a-f]{12}$/.test(name))!);
}

function policy({ home }: Scene): string {
  const path = join(home, ".config/caliban/permissions.toml");
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** The failures of a hook that its messages must name. */
const FAILURES: readonly {
  readonly name: string;
  readonly make?: (scene: Scene) => void;
  readonly input?: string;
}[] = [
  { name: "the copy is gone", make: (scene) => renameSync(copyIn(scene), `${copyIn(scene)}x`) },
  {
    name: "a module is gone",
    make: (scene) => rmSync(join(copyIn(scene), "lib/cli"), { recursive: true }),
  },
  {
    name: "a module is broken",
    make: (scene) => writeFileSync(join(copyIn(scene), "lib/cli/run.ts"), "}{"),
  },
  {
    name: "a module throws",
    make: (scene) =>
      writeFileSync(join(copyIn(scene), "lib/cli/run.ts"), 'throw new Error("a\\u001b[31m\\nb")'),
  },
  {
    name: "a package is gone",
    make: (scene) => rmSync(join(copyIn(scene), "node_modules/unbash"), { recursive: true }),
  },
  {
    name: "a table is broken",
    make: (scene) => writeFileSync(join(copyIn(scene), "defaults/shell.json"), "{"),
  },
  {
    name: "a policy is broken",
    make: (scene) => writeFileSync(policy(scene), "rules = [\n\u001b[31m"),
  },
  { name: "a policy is a folder", make: (scene) => mkdirSync(policy(scene)) },
  { name: "the event is no JSON", input: "{" },
  { name: "there is no event", input: "" },
  { name: "the project is gone", make: ({ project }) => rmSync(project, { recursive: true }) },
];

/** An agent that goes by the status, and one that goes by what is printed. */
const AGENTS = ["claude", "copilot"] as const;

for (const { name, make, input } of sample(FAILURES, 3, 6)) {
  test(`where ${name}, the model reads one sentence and one for the person`, {
    timeout: 60_000,
    skip: without("deno"),
  }, () =>
    inScene(async (scene) => {
      const [agent = "claude"] = sample(AGENTS, 1);
      const command = await installed("deno", agent, scene);
      const { event, env } = sampleEvent(agent, {
        command: "if true; then ls; fi",
        folder: scene.project,
      });
      make?.(scene);
      const { status, stdout, stderr } = await asked(command, {
        scene,
        input: input ?? JSON.stringify(event),
        env,
      });
      assert.equal(status, agent === "claude" ? 2 : 0);
      const reason: string = agent === "claude"
        ? stderr
        : JSON.parse(stdout).permissionDecisionReason;
      assert.match(
        reason,
        /^caliban[^\n]* the call is stopped[^\n]*\. A person can run: caliban doctor[^\n]*\n?$/,
      );
      for (const text of [reason, stdout]) {
        assert.ok(!text.includes("\u001b"), text);
        assert.doesNotMatch(text, /\.ts:\d|backtrace|\bhint:/i);
      }
    }));
}
