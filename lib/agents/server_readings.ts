import { EventFault } from "./event_fault.ts";
import type { AgentFacts } from "./tool_names.ts";

/** Servers and tools are not taken apart at more places than that. */
const MOST_READINGS = 32;

/** Our names of the server's tool that a name may be, each way to take it apart; none where it has our form or no other. */
export function serverReadings(tool: string, form: AgentFacts["mcp"]): readonly string[] {
  if (form === undefined || tool.startsWith("mcp__")) return [];
  const separator = form === "server-tool" ? "-" : "_";
  const isPrefixed = form === "mcp_server_tool";
  if (isPrefixed && !tool.startsWith("mcp_")) return [];
  const parts = tool.split(separator).slice(isPrefixed ? 1 : 0);
  if (parts.length > MOST_READINGS) throw new EventFault("the tool's name has too many parts");
  return parts.slice(1).map((_part, index) => {
    const server = parts.slice(0, index + 1).join(separator);
    return `mcp__${server}__${parts.slice(index + 1).join(separator)}`;
  });
}
