import type { AgentProfile } from "../profile.ts";
import { EventFault } from "./hook_protocol.ts";

/** The limit of separators in a name that joins a server's and a tool's. */
const MOST_READINGS = 32;

/** The text between a server's name and its tool's. */
const SEPARATORS: Readonly<Record<NonNullable<AgentProfile["mcp"]>, string>> = {
  "server-tool": "-",
  server_tool: "_",
  mcp_server_tool: "_",
  server__tool: "__",
  server___tool: "___",
};

/**
 * Our names of an MCP server's tool, one for each way to split the agent's name of it; none for a name in our form. Throws
 * EventFault for a name with too many of them.
 */
export function serverNames(tool: string, form: AgentProfile["mcp"]): readonly string[] {
  if (form === undefined || tool.startsWith("mcp__")) return [];
  const isPrefixed = form === "mcp_server_tool";
  if (isPrefixed && !tool.startsWith("mcp_")) return [];
  const name = isPrefixed ? tool.slice("mcp_".length) : tool;
  const separator = SEPARATORS[form];
  const names = new Set<string>();
  // Separators may overlap: `a____b` has two ways to be split at three.
  for (let at = name.indexOf(separator); at !== -1; at = name.indexOf(separator, at + 1)) {
    if (names.size + 1 >= MOST_READINGS) {
      throw new EventFault("the tool's name has too many parts");
    }
    names.add(`mcp__${name.slice(0, at)}__${name.slice(at + separator.length)}`);
  }
  return [...names];
}
