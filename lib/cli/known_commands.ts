import type { AgentName } from "../agents/agent_name.ts";
import { WIRES } from "../agents/wires.ts";
import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import { agentCommand } from "./agent_command.ts";
import { programFolder } from "./agent_place.ts";
import { UsageError } from "./errors.ts";
import { logFolder } from "./hook_log.ts";

/** Whether a command line is one that `hook install` writes for an agent on this machine, in this version or another. */
export type IsKnown = (agent: AgentName, command: string) => boolean;

/** Tells commands of `hook install` from what a project may have come with. */
export async function knownCommands(policy: LoadedPolicy, runtime: Runtime): Promise<IsKnown> {
  const { agentProgram } = await import("../io/agent_program.ts");
  const writes = logFolder(runtime);
  return (agent, command) => {
    const below = folderFor(agent, { policy, runtime });
    if (below === undefined) return false;
    const options = [{ below }, ...(writes === undefined ? [] : [{ below, writes }])];
    return options.some((each) => {
      const { words } = agentProgram(runtime, each);
      const own = agentCommand(agent, { words, wire: WIRES[agent] });
      return withoutVersion(own) === withoutVersion(command);
    });
  };
}

function folderFor(
  agent: AgentName,
  { policy, runtime }: { readonly policy: LoadedPolicy; readonly runtime: Runtime },
): string | undefined {
  try {
    return programFolder(runtime, policy.facts, agent);
  } catch (error) {
    // Without a home, nothing was installed.
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

/** Copies of other versions stand in the same folder, which is nobody's but the person's own. */
function withoutVersion(command: string): string {
  return command.replaceAll(/\/hooks\/[0-9a-f]{12}\//g, "/hooks/VERSION/");
}
