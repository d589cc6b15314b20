import type { AgentName } from "../agents/agent_name.ts";
import type { Wire } from "../agents/agent.ts";
import { commandLine, quoted } from "../text/quote.ts";

/**
 * The command line for an agent's settings. INVARIANT: it stops the call where the program cannot start, by the status
 * where the agent goes by that, else by the agent's own words for deny.
 */
export function agentCommand(
  name: AgentName,
  { words, wire }: { readonly words: readonly string[]; readonly wire: Wire },
): string {
  const line = commandLine([...words, "hook", name]);
  // By this word the command is known as ours again; a program can have any name.
  const mark = /caliban/.test(line) ? "" : " # caliban";
  if (wire.capabilities.exitTwo === "stops") return `${line} || exit 2${mark}`;
  const { stdout } = wire.reply({ emission: "deny", reason: "caliban: it could not be started" });
  return `${line} || echo ${quoted(stdout.trimEnd())}`;
}
