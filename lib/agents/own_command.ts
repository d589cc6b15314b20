import type { AgentName } from "./agent_name.ts";

/** Whether a command line of an agent's settings is one that `hook install` wrote for this agent. */
export function isOwnCommand(command: string, agent: AgentName): boolean {
  return /caliban/.test(command) && new RegExp(`\\bhook ${agent}(?![\\w-])`).test(command);
}
