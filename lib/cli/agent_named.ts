import { AGENT_NAMES, type AgentName, isAgentName } from "../agents/agent_name.ts";
import { UsageError } from "./errors.ts";

/** The agent of that name. Throws UsageError where there is none. */
export function agentNamed(name: string): AgentName {
  if (isAgentName(name)) return name;
  throw new UsageError(`There is no agent "${name}"`, {
    unknown: { word: name, known: AGENT_NAMES },
    hint: `The agents are: ${AGENT_NAMES.join(", ")}`,
  });
}
