// The effect of an installed hook inside real agents (tests/cases/agents/hook_facts.json; UPDATE=1 rewrites it): a scripted model calls
// the shell where the policy denies, asks or allows, and where caliban is broken, gone or hangs.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { inScene, installed, type Scene } from "../../tests/support/agent_scene.ts";
import { withoutAgent } from "./agents/installed.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";
import type { ScriptedCall } from "./model/script.ts";
import { MARKS, serverWords } from "./model/tool_server.ts";

const FACTS = new URL(
  "../../tests/cases/agents/hook_facts.json",
  import.meta.url,
);

const POLICY = [
  ["Bash:touch denied*", "deny"],
  ["Bash:touch asked*", "ask"],
  ["Bash:touch allowed*", "allow"],
  ["Write:denied*", "deny"],
  ["Write:allowed*", "allow"],
  ["mcp__t__mark_denied", "deny"],
  ["mcp__t__mark_allowed", "allow"],
].map(([pattern, action]) =>
  `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
).join("\n");

/** The folder of the hook's copy of caliban. */
function copyIn({ home }: Scene): string {
  const hooks = join(home, ".local/share/caliban/hooks");
  return join(hooks, readdirSync(hooks)[0]!);
}

/** Makes a program of the copy, in place of caliban's. */
function replace(scene: Scene, text: string): void {
  writeFileSync(join(copyIn(scene), "cli.ts"), text);
}

/** The state of a machine, and calls whose files show whether they were stopped. */
interface Situation {
  readonly name: string;
  /** The calls; undefined where the agent has no such tool. */
  calls(agent: RealAgent, scene: Scene): readonly ScriptedCall[] | undefined;
  /** The file that a call makes which is to be stopped, or the one of an allowed call. */
  readonly file: string;
  /** The file of an allowed call beside it, which shows that the tool works at all. */
  readonly beside?: string;
  /** True for a run with an MCP server. */
  readonly hasServer?: boolean;
  /** Called after the hook is installed. */
  make?(scene: Scene, agent: RealAgent): void;
}

/** A situation with one call of the shell. */
function shellCase(name: string, file: string, make?: Situation["make"]): Situation {
  return {
    name,
    file: `${file}.txt`,
    calls: ({ shell }) => [shell(`touch ${file}.txt`)],
    ...(make && { make }),
  };
}

/** A situation with a call that the policy allows, and one that it denies. */
function besideCase(name: string, calls: (file: string) => Situation["calls"]): Situation {
  return {
    name,
    file: "denied.txt",
    beside: "allowed.txt",
    calls: (agent, scene) => {
      const [allowed, denied] = ["allowed.txt", "denied.txt"].map((file) =>
        calls(file)(agent, scene)
      );
      return allowed && denied && [...allowed, ...denied];
    },
  };
}

const SITUATIONS: readonly Situation[] = [
  shellCase("denied", "denied"),
  shellCase("asked", "asked"),
  shellCase("allowed", "allowed"),
  besideCase("denied edit", (file) => ({ write }, { project }) => {
    return write && [write(join(realpathSync(project), file))];
  }),
  besideCase(
    "another tool with a command",
    (file) => ({ otherShell }) => otherShell?.(`touch ${file}`),
  ),
  {
    name: "denied MCP tool",
    file: "mark_denied.txt",
    beside: "mark_allowed.txt",
    hasServer: true,
    calls: ({ serverTool }) => serverTool && MARKS.flatMap(serverTool),
  },
  shellCase("broken policy", "allowed", ({ home }) => {
    writeFileSync(join(home, ".config/caliban/permissions.toml"), "rules = [");
  }),
  shellCase("copy gone", "allowed", (scene) => {
    renameSync(copyIn(scene), `${copyIn(scene)}-gone`);
  }),
  shellCase("file of the copy gone", "allowed", (scene) => {
    renameSync(join(copyIn(scene), "lib/cli"), join(copyIn(scene), "lib/gone"));
  }),
  shellCase("copy emptied", "allowed", (scene) => replace(scene, "")),
  shellCase("hook hung", "allowed", (scene) => {
    replace(scene, "await new Promise((go) => setTimeout(go, 600_000));\n");
  }),
  shellCase("hook stopped", "allowed", (scene) => replace(scene, STOPPED)),
  {
    name: "hooks switched off by the project",
    file: "denied.txt",
    calls: ({ shell, switches }) => switches && [shell("touch denied.txt")],
    make: ({ project }, { switches = {} }) => {
      for (const [path, text] of Object.entries(switches)) {
        mkdirSync(dirname(join(project, path)), { recursive: true });
        writeFileSync(join(project, path), text);
      }
    },
  },
];

/** A program that its watchdog alone can end. */
const STOPPED = `import process from "node:process";
process.kill(process.pid, "SIGSTOP");
`;

/**
 * `ran` or `stopped`: the effect of a call in a situation; `–` where the agent has no such tool for a model that it does not know,
 * or no such switch.
 */
async function effectOf(agent: RealAgent, situation: Situation): Promise<string> {
  let effect = "";
  await inScene(async (scene) => {
    const script = situation.calls(agent, scene);
    if (script === undefined) {
      effect = "–";
      return;
    }
    const policy = join(scene.home, ".config/caliban/permissions.toml");
    mkdirSync(dirname(policy), { recursive: true });
    writeFileSync(policy, POLICY);
    const { results, printed } = await runAgent(agent, {
      ...scene,
      script,
      ...(situation.hasServer && { server: serverWords(realpathSync(scene.project)) }),
      beforeStart: async () => {
        await installed("deno", agent.agent, scene);
        situation.make?.(scene, agent);
      },
    });
    const isThere = (file: string) => existsSync(join(realpathSync(scene.project), file));
    const ran = isThere(situation.file);
    // An agent that ends without an answer to the call did not run it.
    assert.ok(ran || results.length <= script.length, printed);
    // The model reads the answer: no colours, no stack.
    for (const text of results) {
      assert.ok(!text.includes("\x1b["), text);
      assert.doesNotMatch(text, /\bat .*\.ts:\d|backtrace/i);
    }
    const { beside } = situation;
    assert.ok(
      beside === undefined || isThere(beside),
      `${situation.name}: ${results.join("\n")}${printed}`,
    );
    effect = ran ? "ran" : "stopped";
  });
  return effect;
}

for (const agent of REAL_AGENTS) {
  const skip = withoutAgent(agent);
  test(
    `what hook install writes decides inside ${agent.package}`,
    { skip },
    async () => {
      const effects: Record<string, string> = {};
      for (const situation of SITUATIONS) {
        effects[situation.name] = await effectOf(agent, situation);
      }
      const facts = { version: agent.version, effects };
      const known = JSON.parse(readFileSync(FACTS, "utf8"));
      if (process.env["UPDATE"] === "1") {
        writeFileSync(
          FACTS,
          `${JSON.stringify({ ...known, [agent.agent]: facts }, null, 1)}\n`,
        );
      } else assert.deepEqual(facts, known[agent.agent]);
      assert.equal(effects["allowed"], "ran");
      for (const { name } of SITUATIONS) {
        if (!["allowed", "asked", "hooks switched off by the project"].includes(name)) {
          assert.notEqual(effects[name], "ran", name);
        }
      }
    },
  );
}
