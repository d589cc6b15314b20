// The settings that switch an installed hook off inside real agents (tests/cases/agents/switches.json): a denied call runs exactly where
// the doctor says that no call is guarded. Cases with an administrator's files need bench/peers/agents/private_etc.sh.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { settings as codex } from "../../lib/agents/codex/settings.ts";
import { inScene, type Scene, verb } from "../../tests/support/agent_scene.ts";
import { said } from "../../tests/support/process.ts";
import { SWITCH_CASES, type SwitchCase, switchText } from "../../tests/support/switch_cases.ts";
import { withoutAgent } from "./agents/installed.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";

const POLICY = '[[permissions.rules]]\npattern = "Bash:touch denied*"\naction = "deny"\n';

/** True if /etc is a copy that this process has for itself. */
const IS_PRIVATE = ["/etc", "/usr/local"].every((folder) =>
  mounts().includes(`overlay ${folder} overlay`)
);

/** The file systems of this process, by a program: Deno reads nothing below /proc without every permission. */
function mounts(): string {
  return spawnSync("cat", ["/proc/self/mounts"], { encoding: "utf8" }).stdout ?? "";
}

/** Adds to a file: JSON member by member, other text at its end. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const both = !path.endsWith(".json")
    ? before + text
    : JSON.stringify({ ...JSON.parse(before || "{}"), ...JSON.parse(text) });
  writeFileSync(path, both);
}

/** The settings of a case are written, and the hook is installed. */
async function prepare(each: SwitchCase, scene: Scene): Promise<void> {
  const { agent, scope = "user" } = each;
  const policy = join(scene.home, ".config/caliban/permissions.toml");
  mkdirSync(dirname(policy), { recursive: true });
  writeFileSync(policy, POLICY);
  const words = ["hook", "install", agent, "--scope", scope, "--json"];
  const { status, stdout, stderr } = await verb("deno", words, scene);
  assert.equal(status, 0, stderr);
  const about = { command: JSON.parse(stdout).command, project: scene.project };
  const write = (folder: string, files: Readonly<Record<string, unknown>> = {}) => {
    for (const [path, value] of Object.entries(files)) {
      put(join(folder, path), switchText(value, about));
    }
  };
  write(scene.home, each.home);
  write(scene.project, each.project);
  write("/", each.machine);
}

/** The faults that the doctor finds in the hooks of an agent. */
async function doctorFor(agent: string, scene: Scene): Promise<readonly string[]> {
  const { stdout, stderr } = await verb("deno", ["doctor", "--agent", agent, "--json"], scene);
  assert.equal(stderr, "");
  const { agents } = JSON.parse(stdout);
  return agents.flatMap(({ faults }: { faults: { what: string }[] }) =>
    faults.map(({ what }) => what)
  );
}

/** True if the denied call ran. */
async function runs(agent: RealAgent, scene: Scene, beforeStart: () => Promise<void>) {
  const script = [agent.shell("touch denied.txt")];
  const { results, printed } = await runAgent(agent, { ...scene, script, beforeStart });
  const ran = existsSync(join(realpathSync(scene.project), "denied.txt"));
  assert.ok(ran || results.length === 1, printed);
  return ran;
}

for (const agent of REAL_AGENTS) {
  for (const each of SWITCH_CASES.filter((row) => row.agent === agent.agent)) {
    const isMachine = each.machine !== undefined || each.scope === "managed";
    const skip = withoutAgent(agent) ||
      isMachine && !IS_PRIVATE && said("needs bench/peers/agents/private_etc.sh");
    test(`${agent.package}: ${each.name}`, { skip }, () =>
      inScene(async (scene) => {
        const ran = await runs(agent, scene, () => prepare(each, scene));
        const faults = await doctorFor(agent.agent, scene);
        const isOff = faults.some((what) => what.endsWith("so no call is guarded"));
        if (isMachine) {
          await verb("deno", ["hook", "uninstall", agent.agent, "--scope", "managed"], scene);
          for (const path of Object.keys(each.machine ?? {})) rmSync(path);
        }
        assert.deepEqual({ ran, isOff }, { ran: each.off, isOff: each.off }, faults.join("\n"));
      }));
  }
}

const CODEX = REAL_AGENTS.find(({ agent }) => agent === "codex")!;

/** Codex as a person starts it, who trusts hooks by a record alone. */
const TRUSTING = {
  ...CODEX,
  args: CODEX.args.filter((word) => word !== "--dangerously-bypass-hook-trust"),
};

for (const trusted of ["nothing", "another hook", "this hook"] as const) {
  test(`${CODEX.package}: a record that the person trusts ${trusted}`, {
    skip: withoutAgent(CODEX),
  }, () =>
    inScene(async (scene) => {
      const ran = await runs(TRUSTING, scene, async () => {
        await prepare({ agent: "codex", name: "", off: false }, scene);
        if (trusted !== "nothing") recordTrust(scene, trusted === "this hook");
      });
      const faults = await doctorFor("codex", scene);
      const isTrusted = trusted === "this hook";
      assert.equal(ran, !isTrusted);
      assert.equal(faults.some((what) => /passes over/.test(what)), !isTrusted, faults.join("\n"));
    }));
}

/** Writes the record that Codex writes where a person trusts a hook. */
function recordTrust({ home }: Scene, isThis: boolean): void {
  const path = join(home, ".codex/hooks.json");
  const file = JSON.parse(readFileSync(path, "utf8"));
  const [command = ""] = codex.commands(readFileSync(path, "utf8"));
  const hook = { agent: "codex", scope: "user", path, command } as const;
  const { definition = "" } = codex.trust?.([], hook, file) ?? {};
  const hash = createHash("sha256").update(isThis ? definition : "x").digest("hex");
  put(
    join(home, ".codex/config.toml"),
    `[hooks.state.${
      JSON.stringify(`${path}:pre_tool_use:0:0`)
    }]\ntrusted_hash = "sha256:${hash}"\n`,
  );
}
