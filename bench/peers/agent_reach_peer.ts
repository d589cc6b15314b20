// A denial of a command, a file or a server's tool holds inside real agents for the other tools that reach it: those that run commands
// beside the shell, those that call another tool, searches, tools of servers; and in Grok Build by Claude Code's hook too. Without the hook each of
// these calls has its effect.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inScene, installed, type Scene } from "../../tests/support/agent_scene.ts";
import type { AgentName } from "../../lib/agents/registry.ts";
import { nodeProgram, withoutAgent } from "./agents/installed.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";
import type { ScriptedCall } from "./model/script.ts";

const POLICY = `[permissions]
rules = [
  { pattern = "Bash:touch denied*", action = "deny" },
  { pattern = "Read:secret/**", action = "deny" },
  { pattern = "mcp__fs__danger", action = "deny" },
  { pattern = "*", action = "allow" },
]
`;

const SERVER = new URL("agents/danger_server.mjs", import.meta.url).pathname;

/** Calls that reach what the policy denies; the last is tried. */
interface Reach {
  readonly agent: AgentName;
  readonly name: string;
  readonly calls: readonly ScriptedCall[];
  /** The agents whose hooks are installed; its own when left out. */
  readonly hooks?: readonly AgentName[];
  /** Arguments in place of the agent's. */
  readonly args?: readonly string[];
}

const TOUCH = { command: "touch denied.txt; echo done", description: "x" };

const MONITOR: ScriptedCall = { name: "monitor", input: TOUCH };
const USE_TOOL: ScriptedCall = {
  name: "use_tool",
  input: { tool_name: "fs__danger", tool_input: {} },
};
const GROK_SHELL: ScriptedCall = { name: "run_terminal_command", input: TOUCH };

const REACHES: readonly Reach[] = [
  {
    agent: "claude",
    name: "Monitor",
    calls: [
      { name: "ToolSearch", input: { query: "select:Monitor", max_results: 5 } },
      { name: "Monitor", input: { ...TOUCH, timeout_ms: 5000 } },
    ],
    args: ["-p", "go", "--allowedTools", "Bash,Monitor"],
  },
  { agent: "grok", name: "monitor", calls: [MONITOR] },
  ...([
    ["claude", { name: "mcp__fs__danger", input: {} }],
    ["codex", { name: "danger", namespace: "mcp__fs", input: {} }],
    ["gemini", { name: "mcp_fs_danger", input: {} }],
    ["copilot", { name: "fs-danger", input: {} }],
    ["opencode", { name: "fs_danger", input: {} }],
    ["grok", USE_TOOL],
    ["droid", { name: "fs___danger", input: {} }],
    ["qwen", { name: "mcp__fs__danger", input: {} }],
    ["kimi", { name: "mcp__fs__danger", input: {} }],
  ] as const).map(([agent, call]): Reach => ({ agent, name: "a server's tool", calls: [call] })),
  ...[["claude"], ["claude", "grok"]].flatMap((hooks) =>
    [GROK_SHELL, MONITOR, USE_TOOL].map((call) => ({
      agent: "grok" as const,
      name: `${call.name} by the hooks of ${hooks.join(" and ")}`,
      calls: [call],
      hooks: hooks as readonly AgentName[],
    }))
  ),
  {
    agent: "qwen",
    name: "tool_call of monitor",
    calls: [{ name: "tool_call", input: { name: "monitor", arguments: TOUCH } }],
  },
  {
    agent: "droid",
    name: "Glob in a folder",
    calls: [{ name: "Glob", input: { patterns: ["*"], folder: "SECRET" } }],
  },
  {
    agent: "droid",
    name: "Grep with a glob",
    calls: [{
      name: "Grep",
      input: { pattern: ".", output_mode: "content", glob_pattern: "secret/mark.txt" },
    }],
  },
  {
    agent: "copilot",
    name: "grep in two folders",
    calls: [{ name: "grep", input: { pattern: "mark", paths: ["docs", "secret"] } }],
  },
  {
    agent: "copilot",
    name: "grep in two folders of one text",
    calls: [{ name: "grep", input: { pattern: "mark", paths: "docs secret" } }],
  },
];

/** Adds a server `fs`, by the words of its command, to an agent's settings. */
type AddServer = (scene: Scene, words: readonly [string, ...string[]]) => void;

const SERVERS: Readonly<Partial<Record<AgentName, AddServer>>> = {
  claude: ({ home }, words) =>
    writeJson(join(home, "servers.json"), { mcpServers: { fs: stdio(words) } }),
  codex: ({ home }, words) => append(join(home, ".codex/config.toml"), tableOf(words)),
  gemini: ({ home }, words) =>
    merge(join(home, ".gemini/settings.json"), { mcpServers: { fs: stdio(words) } }),
  copilot: ({ home }, words) =>
    writeJson(join(home, ".copilot/mcp-config.json"), {
      mcpServers: { fs: { ...stdio(words), type: "local", tools: ["*"] } },
    }),
  opencode: ({ home }, words) =>
    merge(join(home, ".config/opencode/opencode.json"), {
      mcp: { fs: { type: "local", command: words, enabled: true } },
    }),
  grok: ({ home }, words) => append(join(home, ".grok/config.toml"), tableOf(words)),
  droid: ({ home }, words) =>
    writeJson(join(home, ".factory/mcp.json"), { mcpServers: { fs: stdio(words) } }),
  qwen: ({ home }, words) =>
    merge(join(home, ".qwen/settings.json"), { mcpServers: { fs: stdio(words) } }),
  kimi: ({ home }, words) =>
    writeJson(join(home, ".kimi-code/mcp.json"), { mcpServers: { fs: stdio(words) } }),
};

function stdio([command, ...args]: readonly [string, ...string[]]) {
  return { type: "stdio", command, args };
}

function tableOf([command, ...args]: readonly [string, ...string[]]): string {
  const words = args.map((arg) => JSON.stringify(arg)).join(", ");
  return `\n[mcp_servers.fs]\ncommand = ${JSON.stringify(command)}\nargs = [${words}]\n`;
}

function append(path: string, text: string): void {
  writeFileSync(path, readFileSync(path, "utf8") + text);
}

function merge(path: string, more: object): void {
  writeJson(path, { ...JSON.parse(readFileSync(path, "utf8")), ...more });
}

function writeJson(path: string, value: object): void {
  write(path, JSON.stringify(value));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** True if the last call of a run did what the policy denies. */
async function reached(
  agent: RealAgent,
  { calls, args, hooks = [agent.agent] }: Reach,
  isHooked: boolean,
) {
  let isReached: boolean | undefined;
  await inScene(async (scene) => {
    const { home, project } = scene;
    write(join(home, ".config/caliban/permissions.toml"), POLICY);
    write(join(project, "secret/mark.txt"), "mark\n");
    write(join(project, "docs/a.txt"), "none\n");
    const made = join(project, "danger.txt");
    const words = args ?? agent.args;
    const more = calls.at(-1)!.name === "mcp__fs__danger" && agent.agent === "claude"
      ? ["--mcp-config", join(home, "servers.json"), "--allowedTools", "mcp__fs__danger"]
      : [];
    const ran = await runAgent({ ...agent, args: [...words, ...more] }, {
      ...scene,
      script: calls.map((call) =>
        JSON.parse(JSON.stringify(call).replace("SECRET", join(project, "secret")))
      ),
      beforeStart: async () => {
        SERVERS[agent.agent]?.(scene, [nodeProgram(), SERVER, made]);
        if (isHooked) { for (const each of hooks) await installed("deno", each, scene); }
      },
    });
    assert.equal(ran.results.length, calls.length, ran.printed);
    // A process that runs beside the session may need a moment.
    if (!isHooked) await new Promise((go) => setTimeout(go, 500));
    const answer = ran.results.at(-1)!;
    isReached = existsSync(join(project, "denied.txt")) || existsSync(made) ||
      answer.includes("mark.txt");
    // On a slow machine the watchdog may be the one that stops it.
    if (isHooked) assert.match(answer, /caliban: the deny rule|caliban gave no answer/);
  });
  return isReached;
}

for (const reach of REACHES) {
  const agent = REAL_AGENTS.find((each) => each.agent === reach.agent)!;
  test(
    `${agent.package}: ${reach.name} is held to the denials`,
    { skip: withoutAgent(agent) },
    async () => {
      assert.equal(await reached(agent, reach, false), true, "it has no effect without a hook");
      assert.equal(await reached(agent, reach, true), false);
    },
  );
}

const GROK = REAL_AGENTS.find(({ agent }) => agent === "grok")!;

test("Grok Build works with Claude Code's hook, with its own and with both", {
  skip: withoutAgent(GROK),
}, async () => {
  for (const hooks of [["claude"], ["grok"], ["claude", "grok"]] as const) {
    for (const [policy, runs] of [[POLICY, true], ["rules = [", false]] as const) {
      await inScene(async (scene) => {
        const file = join(scene.home, ".config/caliban/permissions.toml");
        write(file, POLICY);
        const { results } = await runAgent(GROK, {
          ...scene,
          script: [GROK.shell("touch allowed.txt")],
          beforeStart: async () => {
            for (const each of hooks) await installed("deno", each, scene);
            writeFileSync(file, policy);
          },
        });
        assert.equal(existsSync(join(scene.project, "allowed.txt")), runs, results.join("\n"));
        if (!runs) assert.match(results[0]!, /caliban: the call is stopped without a decision/);
      });
    }
  }
});
