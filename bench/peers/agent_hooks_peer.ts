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

const FACTS = new URL(
  "../../tests/cases/agents/hook_facts.json",
  import.meta.url,
);

const POLICY = [["touch denied*", "deny"], ["touch asked*", "ask"], [
  "touch allowed*",
  "allow",
]]
  .map(([glob, action]) =>
    `[[permissions.rules]]\npattern = "Bash:${glob}"\naction = "${action}"\n`
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

/** The state of a machine, and a command whose run shows whether the call was stopped. */
interface Situation {
  readonly name: string;
  readonly file: "denied" | "asked" | "allowed";
  /** Called after the hook is installed. */
  make?(scene: Scene): void;
}

const SITUATIONS: readonly Situation[] = [
  { name: "denied", file: "denied" },
  { name: "asked", file: "asked" },
  { name: "allowed", file: "allowed" },
  {
    name: "broken policy",
    file: "allowed",
    make: ({ home }) =>
      writeFileSync(
        join(home, ".config/caliban/permissions.toml"),
        "rules = [",
      ),
  },
  {
    name: "copy gone",
    file: "allowed",
    make: (scene) => renameSync(copyIn(scene), `${copyIn(scene)}-gone`),
  },
  {
    name: "file of the copy gone",
    file: "allowed",
    make: (scene) =>
      renameSync(
        join(copyIn(scene), "lib/cli"),
        join(copyIn(scene), "lib/gone"),
      ),
  },
  {
    name: "copy emptied",
    file: "allowed",
    make: (scene) => replace(scene, ""),
  },
  {
    name: "hook hung",
    file: "allowed",
    make: (scene) => replace(scene, "await new Promise((go) => setTimeout(go, 600_000));\n"),
  },
  {
    name: "hook stopped",
    file: "allowed",
    make: (scene) => replace(scene, STOPPED),
  },
];

/** A program that its watchdog alone can end. */
const STOPPED = `import process from "node:process";
process.kill(process.pid, "SIGSTOP");
`;

/** `ran` or `stopped`: the effect of a call in a situation. */
async function effectOf(
  agent: RealAgent,
  { file, make }: Situation,
): Promise<string> {
  let effect = "";
  await inScene(async (scene) => {
    const policy = join(scene.home, ".config/caliban/permissions.toml");
    mkdirSync(dirname(policy), { recursive: true });
    writeFileSync(policy, POLICY);
    const { results, printed } = await runAgent(agent, {
      ...scene,
      script: [agent.shell(`touch ${file}.txt`)],
      beforeStart: async () => {
        await installed("deno", agent.agent, scene);
        make?.(scene);
      },
    });
    const ran = existsSync(join(realpathSync(scene.project), `${file}.txt`));
    // An agent that ends without an answer to the call did not run it.
    assert.ok(ran || results.length <= 1, printed);
    // The model reads the answer: no colours, no stack.
    for (const text of results) {
      assert.ok(!text.includes("\x1b["), text);
      assert.doesNotMatch(text, /\bat .*\.ts:\d|backtrace/i);
    }
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
        if (name !== "allowed" && name !== "asked") {
          assert.equal(effects[name], "stopped", name);
        }
      }
    },
  );
}
