// The rows inside real agents, under the agents' own rules, with a scripted model and nobody to ask.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { withTempDir } from "../../../tests/support/temp_dir.ts";
import type { ScriptedCall } from "../model/script.ts";
import { withoutAgent } from "../agents/installed.ts";
import { type Place, REAL_AGENTS, type RealAgent } from "../agents/real_agents.ts";
import { runAgent } from "../agents/run_agent.ts";
import { prepareProject, type Row, type RuleSet } from "./rows.ts";

/** An agent under rules of its own. */
interface RuledAgent {
  readonly name: RealAgent["agent"];
  /** Its settings with the rules, by path below the home. */
  files(set: RuleSet, place: Place): Readonly<Record<string, string>>;
  /** Its arguments; those of REAL_AGENTS when left out. */
  readonly args?: readonly string[];
}

const CLAUDE: Readonly<Record<RuleSet, object>> = {
  git: { allow: ["Bash(git:*)", "Bash(echo:*)"] },
  rm: { deny: ["Bash(rm:*)"], allow: ["Bash"] },
  env: { deny: ["Read(**/.env)"], allow: ["Bash", "mcp__t"] },
};

const OPENCODE: Readonly<Record<RuleSet, object>> = {
  git: { bash: { "*": "ask", "git *": "allow", "echo *": "allow" } },
  rm: { bash: { "*": "allow", "rm *": "deny" } },
  env: {
    bash: "allow",
    read: { "*": "allow", "*.env": "deny" },
    "t_*": "allow",
  },
};

const RULED: readonly RuledAgent[] = [
  {
    name: "claude",
    files: (set) => ({
      ".claude/settings.json": JSON.stringify({ permissions: CLAUDE[set] }),
    }),
    args: ["-p", "go"],
  },
  {
    name: "opencode",
    files: (set, place) => {
      const [[path, text]] = Object.entries(
        agentOf("opencode").files!(place),
      ) as [
        [string, string],
      ];
      return {
        [path]: JSON.stringify({
          ...JSON.parse(text),
          permission: OPENCODE[set],
        }),
      };
    },
  },
];

function agentOf(name: string): RealAgent {
  return REAL_AGENTS.find(({ agent }) => agent === name)!;
}

/** A row's call in the agent's form, after those that make its tool known. */
function callsOf(agent: RealAgent, row: Row): readonly ScriptedCall[] {
  if (row.isServerTool !== true) return [agent.shell(row.line)];
  const calls = agent.serverTool!("danger");
  return calls.map((call, at) =>
    at < calls.length - 1 ? call : { ...call, input: { path: row.line } }
  );
}

const SERVER = new URL("../agents/danger_server.mjs", import.meta.url).pathname;

/** `runs` or `stops`. Throws Error where the call never got there. */
function tried(ruled: RuledAgent, row: Row): Promise<string> {
  const own = agentOf(ruled.name);
  return withTempDir(async (top) => {
    const [home, project] = [join(top, "home"), join(top, "project")] as const;
    for (const folder of [home, project]) mkdirSync(folder);
    prepareProject(project);
    const server = row.isServerTool ? ["node", SERVER, join(project, "danger-ran")] : undefined;
    const place = { home, project, ...(server && { server }) };
    const agent = {
      ...own,
      args: ruled.args ?? own.args,
      files: (at: Place) => ({
        ...own.files?.(at),
        ...ruled.files(row.set, at),
      }),
    };
    const script = callsOf(own, row);
    const { results, printed } = await runAgent(agent, { ...place, script });
    const answer = results.at(-1) ?? "";
    if (process.env["SHOW"]) {
      console.log(ruled.name, row.line, results.length, answer);
    }
    const ran = row.ran(project, answer);
    if (
      !ran && results.length === 0 && !/reject|denied|permission/i.test(printed)
    ) {
      throw new Error(`${ruled.name} did not get to ${row.line}: ${printed}`);
    }
    return ran ? "runs" : "stops";
  });
}

/** An agent, and its answers to rows. */
export interface AgentColumn {
  readonly agent: RealAgent;
  readonly skip: string | false;
  answer(row: Row): Promise<string>;
}

/** The agents that have rules of their own, and run here. */
export const AGENT_COLUMNS: readonly AgentColumn[] = RULED.map((ruled) => ({
  agent: agentOf(ruled.name),
  skip: withoutAgent(agentOf(ruled.name)),
  answer: (row) => tried(ruled, row),
}));

/** The title of an agent in defaults/agents.json. */
export function titleOf(name: string): string {
  const file = new URL("../../../defaults/agents.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"))[name].title;
}
