import agents from "../../defaults/agents.json" with { type: "json" };
import type { AgentName } from "./agent_name.ts";

/** What an agent's tool is in our names. */
export interface MappedTool {
  /** Our tool. */
  readonly tool: string;
  /** Our names of its fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Its fields that hold the folder the call runs in. */
  readonly cwd: readonly string[];
  /** Its fields that mean something else than ours of that name, and are left out. */
  readonly unlike: readonly string[];
  /** Its fields that hold a patch, each file of which is a call. */
  readonly patch?: readonly string[];
}

/** What is known of an agent's names, and from where. */
export interface AgentFacts {
  /** Its name for people. */
  readonly title: string;
  /** What version it was read against, or when. */
  readonly version: string;
  /** Where that stands. */
  readonly source: string;
  /** How it names a tool of an MCP server, where that is not `mcp__server__tool`. */
  readonly mcp?: "server-tool" | "server_tool" | "mcp_server_tool";
  /** Its tools. */
  readonly tools: Readonly<Record<string, MappedTool>>;
}

const FACTS = agents as unknown as Readonly<Record<AgentName, AgentFacts>>;

/** What is known of an agent's names. */
export function agentFacts(agent: AgentName): AgentFacts {
  return FACTS[agent];
}
