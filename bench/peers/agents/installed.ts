import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { said } from "../../../tests/support/process.ts";
import type { RealAgent } from "./real_agents.ts";

/** The folder that each agent has a folder in. */
export const AGENTS = new URL("node_modules", import.meta.url).pathname;

/** The oldest Node that all agents run with. */
export const NODE = 22;

/** The Node that is installed where the machine's own is older. */
export const OWN_NODE = onThisSystem("node-{os}-{cpu}");

/** The path of an agent's program. */
export function programOf({ agent, program, folder }: RealAgent): string {
  const base = folder === undefined
    ? join(AGENTS, agent, "node_modules")
    : new URL(folder, import.meta.url).pathname;
  return join(base, onThisSystem(program));
}

/** The folder, below AGENTS, of an agent's library. */
export function libraryOf({ agent }: RealAgent): string {
  return `${agent}-library`;
}

/** The Node that agents run with. */
export function nodeProgram(): string {
  const own = join(AGENTS, "node/node_modules", OWN_NODE, "bin/node");
  return existsSync(own) ? own : "node";
}

/** The major version of a Node; 0 where it does not start. */
export function nodeVersion(program: string): number {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

/** The reason why an agent cannot be started here; false when it can. */
export function withoutAgent(agent: RealAgent): string | false {
  const { package: name, isScript } = agent;
  if (!existsSync(programOf(agent))) {
    return said(`${name} is not installed, or not for this system`);
  }
  return isScript === true && nodeVersion(nodeProgram()) < NODE
    ? said(`${name} needs Node ${NODE}`)
    : false;
}

/** The reason why an agent's search cannot be tried here: without ripgrep some agents search in another way, and some not at all. */
export function withoutSearch(agent: RealAgent): string | false {
  const hasRipgrep = spawnSync("rg", ["--version"]).error === undefined;
  return withoutAgent(agent) || (hasRipgrep ? false : said(`${agent.package} needs ripgrep`));
}

/** A text with the names of this system in it. */
export function onThisSystem(text: string): string {
  return text.replace("{os}", process.platform).replace("{cpu}", process.arch);
}
