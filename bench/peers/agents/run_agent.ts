import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { endOf } from "../../../tests/support/process.ts";
import type { Script } from "../model/script.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted_model.ts";
import { AGENTS, libraryOf, nodeProgram, programOf } from "./installed.ts";
import type { RealAgent } from "./real_agents.ts";

/** The longest time that an agent may run, in ms. */
const LIMIT_MS = 180_000;

/** A run of a real agent. */
export interface AgentRun {
  readonly home: string;
  readonly project: string;
  readonly script: Script;
  /** The words that start an MCP server of the name `t`; none when left out. */
  readonly server?: readonly string[];
  /** Called after its settings are written, before it starts: the place to install a hook. */
  beforeStart?(): Promise<void>;
}

/** The traces of a run. */
export interface AgentRan extends Pick<ScriptedModel, "results" | "tools" | "paths"> {
  /** The agent's output, for messages. */
  readonly printed: string;
}

/**
 * Runs an agent in a home and a project with a scripted model, to its end or for a minute; then its whole process group is ended.
 * It is told of no network but this machine's.
 */
export async function runAgent(
  agent: RealAgent,
  { home, project, script, server, beforeStart }: AgentRun,
): Promise<AgentRan> {
  const model = await scriptedModel(script);
  try {
    const place = { home, project, model: model.url, ...(server && { server }) };
    for (const [path, text] of Object.entries(agent.files?.(place) ?? {})) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      if (!existsSync(join(home, path))) writeFileSync(join(home, path), text);
    }
    if (agent.library) placeLibrary(agent, home);
    await beforeStart?.();
    const own = { HOME: home, PATH: process.env["PATH"] ?? "", ...agent.env?.(place) };
    const printed = await printedBy(wordsOf(agent), {
      cwd: project,
      env: { ...NO_NETWORK, ...own },
    });
    const { results, tools, paths } = model;
    return { results, tools, paths, printed };
  } finally {
    await model.close();
  }
}

/** Puts an agent's library where it would install it itself. */
function placeLibrary(agent: RealAgent, home: string): void {
  const installed = join(AGENTS, libraryOf(agent));
  if (existsSync(installed)) {
    cpSync(installed, join(home, agent.library!.into), { recursive: true });
  }
}

/** Nothing answers at this port. */
const NOBODY = "http://127.0.0.1:9";

const NO_NETWORK = {
  HTTP_PROXY: NOBODY,
  HTTPS_PROXY: NOBODY,
  ALL_PROXY: NOBODY,
  NO_PROXY: "127.0.0.1,localhost",
};

function wordsOf(agent: RealAgent): readonly string[] {
  return [...agent.isScript === true ? [nodeProgram()] : [], programOf(agent), ...agent.args];
}

async function printedBy(
  [program = "", ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(program, args, { cwd, env, detached: true });
  const signal = (name: "SIGKILL" | 0) => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, name);
    } catch {
      // Nothing of it runs any more.
      return false;
    }
  };
  const timer = setTimeout(() => signal("SIGKILL"), LIMIT_MS);
  child.stdin.on("error", () => {});
  child.stdin.end();
  try {
    const { status, stdout, stderr } = await endOf(child);
    return `status ${status}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`;
  } finally {
    clearTimeout(timer);
    signal("SIGKILL");
    for (let times = 0; times < 50 && signal(0); times++) {
      await new Promise((go) => setTimeout(go, 50));
    }
  }
}
