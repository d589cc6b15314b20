import agents from "../../defaults/agents.json" with { type: "json" };
import runners from "../../defaults/hook-runners.json" with { type: "json" };
import type { PathChange } from "../pattern/path/path_readings.ts";
import type { AgentName } from "./registry.ts";

/** The effect of a hook's answers on an agent. */
export interface Capabilities {
  /** `grants`: an allow skips the agent's own question; `nothing`: it does what silence does. */
  readonly allow: "grants" | "nothing";
  /** `prompts`: a hook can make the agent ask a person. */
  readonly ask: "prompts" | "nothing";
  /** `judges`: after silence the agent asks or judges by itself; `runs`: the call runs. */
  readonly silence: "judges" | "runs";
  /** `stops`: exit status 2 stops the call. */
  readonly exitTwo: "stops" | "nothing";
  /** The time that the agent waits for the installed hook, in ms. */
  readonly waitMs: number;
  /** `project`: an event names the project folder; `cwd`: only the folder that the call runs in. */
  readonly folder: "project" | "cwd";
  /** The other agents whose hooks it runs besides its own, with its own events. */
  readonly runs: readonly AgentName[];
  /** The calls that the agent makes without asking its hooks. */
  readonly unseen: readonly UnseenCalls[];
}

/** Calls that an agent makes without asking its hooks. */
export interface UnseenCalls {
  /** Our name of the tool, where it has one: the agent enforces no rule for it. */
  readonly tool?: string;
  /** One sentence without a final full stop. */
  readonly what: string;
}

/** An agent's tool in our names. */
export interface MappedTool {
  /** Our tool. */
  readonly tool: string;
  /** Our names of its fields, by theirs. */
  readonly fields: Readonly<Record<string, string>>;
  /** Its fields that hold the folder the call runs in. */
  readonly cwd: readonly string[];
  /** Its fields that mean something else than ours of that name; they are left out. */
  readonly unlike: readonly string[];
  /** Its fields that hold a patch; each file of the patch is a call. */
  readonly patch?: readonly string[];
  /** Set if it opens a file of the workspace whose path ends in its path, where that path itself is not there. */
  readonly finds?: true;
  /** Set if its reading of paths was not tried: any change may be made. */
  readonly untried?: true;
  /** Its fields in which a text may be several paths, parted by blanks. */
  readonly several: readonly string[];
  /** Its field with a text that says which URLs to fetch. */
  readonly urls?: string;
  /** Set if it calls another tool of the agent. */
  readonly calls?: Wrapper;
}

/** The fields of a tool that calls another one. */
export interface Wrapper {
  /** The field with the other tool's name. */
  readonly tool: string;
  /** The field with that tool's input. */
  readonly input: string;
  /** Set if an event about the other tool has that one's name, and the input of this one. */
  readonly names?: true;
}

/** A section of defaults/agents.toml: the facts about one agent, with their source. */
export interface AgentProfile {
  /** The name for people. */
  readonly title: string;
  /** The version, or the date, that the facts were read against. */
  readonly version: string;
  /** The document that has them. */
  readonly source: string;
  /** The form of the name of an MCP server's tool, where that is not `mcp__server__tool`. */
  readonly mcp?:
    | "server-tool"
    | "server_tool"
    | "mcp_server_tool"
    | "server__tool"
    | "server___tool";
  /** The changes that its tools may make to a path before they open it; absent where any may be made. */
  readonly paths?: readonly PathChange[];
  /** The effect of answers before a tool runs. */
  readonly hook: Capabilities;
  /** The effect of answers to the event `PermissionRequest`, where it is another. */
  readonly request?: Capabilities;
  /** Tools by the agent's names. */
  readonly tools: Readonly<Record<string, MappedTool>>;
}

const PROFILES = agents as unknown as Readonly<Record<AgentName, AgentProfile>>;

const RUNNERS: Readonly<Partial<Record<AgentName, readonly string[]>>> = runners;

/** The facts about an agent. */
export function agentProfile(agent: AgentName): AgentProfile {
  return PROFILES[agent];
}

/** The other agents that run the hooks of an agent (`Capabilities.runs`), in the order of help. Needs none of the facts about them. */
export function hookRunners(agent: AgentName): readonly AgentName[] {
  return (RUNNERS[agent] ?? []) as readonly AgentName[];
}

/** The effect of an answer to the event of that name. */
export function capabilitiesAt(agent: AgentName, event: string): Capabilities {
  const { hook, request = hook } = agentProfile(agent);
  return event === "PermissionRequest" ? request : hook;
}
