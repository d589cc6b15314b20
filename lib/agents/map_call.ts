import type { Json, JsonObject, ToolCall } from "../model/call.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import type { AgentName } from "./agent_name.ts";
import { EventFault } from "./event_fault.ts";
import { type AgentFacts, agentFacts, type MappedTool } from "./tool_names.ts";

/** A call in the agent's own names. */
export interface ForeignCall {
  /** The tool's name. */
  readonly tool: string;
  /** Its input. */
  readonly input: JsonObject;
  /** The folder that it runs in. */
  readonly cwd?: string | undefined;
}

/** A call in our names. */
export interface MappedCall {
  /** What it is: one call, or one a file of a patch. At least one. */
  readonly calls: readonly ToolCall[];
  /** What it may be besides: where a server's and a tool's name are joined, each way to take them apart. */
  readonly readings: readonly ToolCall[];
}

/** More calls than that are not judged: an agent waits only so long, and then runs them. */
export const MOST_CALLS = 1000;

/** A call in our names. Throws EventFault where two spellings of a field differ. */
export function mapCall(agent: AgentName, call: ForeignCall): MappedCall {
  const facts = agentFacts(agent);
  const mapped = Object.hasOwn(facts.tools, call.tool)
    ? facts.tools[call.tool]
    : call.tool === "Bash"
    ? PLAIN_BASH
    : undefined;
  if (mapped === undefined) return unmapped(call, facts);
  const cwd = folderOf(call, mapped.cwd);
  const paths = mapped.patch === undefined ? [] : pathsOf(call.input, mapped.patch);
  if (paths.length > 0) {
    return {
      calls: paths.map((path) => placed(mapped.tool, { input: { path }, cwd })),
      readings: [],
    };
  }
  const input = renamed(call.input, mapped);
  const own = placed(mapped.tool, { input, cwd });
  const strays = LINE_TOOLS.includes(mapped.tool) ? strayFolders(call, mapped.cwd) : [];
  return {
    calls: [own, ...strays.map((stray) => ({ ...own, cwd: stray }))],
    readings: patchesIn(own, facts),
  };
}

const PLAIN_BASH: MappedTool = { tool: "Bash", fields: {}, cwd: [], unlike: [] };

const LINE_TOOLS: readonly string[] = ["Bash", "PowerShell"];

function placed(
  tool: string,
  { input, cwd }: { readonly input: JsonObject; readonly cwd: string | undefined },
): ToolCall {
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

function unmapped({ tool, input, cwd }: ForeignCall, facts: AgentFacts): MappedCall {
  const own = placed(tool, { input, cwd });
  const readings = serverReadings(tool, facts.mcp).map((name) => placed(name, { input, cwd }));
  // Where there is one way only to read it, that is what it is.
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return { calls: [only], readings: [own] };
  const alike = alikeTool(tool, facts);
  if (alike === undefined) return { calls: [own], readings };
  const meant = placed(alike.tool, { input: renamed(input, alike), cwd });
  return { calls: [own], readings: [...readings, meant] };
}

/** The tool whose name is the same but for its case. */
function alikeTool(tool: string, { tools }: AgentFacts): MappedTool | undefined {
  const isAlike = (name: string) => name !== tool && name.toLowerCase() === tool.toLowerCase();
  const theirs = Object.keys(tools).find(isAlike);
  if (theirs !== undefined) return tools[theirs];
  const ours = [...DEFAULT_TOOLS].find(isAlike);
  return ours === undefined ? undefined : { ...PLAIN_BASH, tool: ours };
}

function pathsOf(input: JsonObject, fields: readonly string[]): readonly string[] {
  const paths = fields.flatMap((field) => {
    const text = input[field];
    return typeof text === "string" ? patchFiles(text) : [];
  });
  if (paths.length > MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} files`);
  return paths;
}

/** The edits of patches in a command line: agents that have a tool for patches take them from there too. */
function patchesIn({ tool, input, cwd }: ToolCall, { tools }: AgentFacts): readonly ToolCall[] {
  const { command } = input;
  const hasPatches = tool === "Bash" && Object.values(tools).some(({ patch }) => patch);
  if (!hasPatches || typeof command !== "string" || !/\*\*\* Begin Patch/i.test(command)) return [];
  return pathsOf(input, ["command"]).map((path) => placed("Edit", { input: { path }, cwd }));
}

function renamed(input: JsonObject, { fields, unlike, tool }: MappedTool): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) {
    if (unlike.includes(name)) continue;
    const ours = Object.hasOwn(fields, name) ? fields[name] ?? name : name;
    if (Object.hasOwn(result, ours) && JSON.stringify(result[ours]) !== JSON.stringify(value)) {
      throw new EventFault(`two spellings of "${ours}" differ`);
    }
    Object.defineProperty(result, ours, { value, enumerable: true, configurable: true });
  }
  const { command } = result;
  if (tool === "Bash" && isTexts(command)) return { ...result, command: lineOf(command) };
  return result;
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** A list of words as the shell line that has them. */
function lineOf(words: readonly string[]): string {
  return words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  )
    .join(" ");
}

/** A line of a patch that names a file; what applies patches heeds no blanks before it. */
const NAMES_FILE = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to):(.*)$/is;

/**
 * The files that a patch in the form of Codex (`*** Update File: x`) writes, each once; empty for a text in which none is
 * named. Every line that looks like such a header counts, also one inside a hunk.
 */
function patchFiles(patch: string): readonly string[] {
  const paths = patch.split("\n").flatMap((line) => {
    const path = NAMES_FILE.exec(line)?.[1]?.trim();
    return path === undefined || path === "" ? [] : [path];
  });
  return [...new Set(paths)];
}

/** Servers and tools are not taken apart at more places than that. */
const MOST_READINGS = 32;

/** Our names of the server's tool that a name may be, each way to take it apart; none where it has our form or no other. */
function serverReadings(tool: string, form: AgentFacts["mcp"]): readonly string[] {
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

/** What has fields, and runs in a folder. */
interface Placed {
  readonly input: JsonObject;
  readonly cwd?: string | undefined;
}

/** Fields that hold the folder of a command with one agent or another. */
const NAMES: readonly string[] = [
  "cwd",
  "Cwd",
  "workdir",
  "working_directory",
  "workingDirectory",
  "working_dir",
  "directory",
  "dir_path",
];

/** The folder that a call names in one of the fields, in the folder that the event names. Throws EventFault. */
function folderOf(call: Placed, fields: readonly string[]): string | undefined {
  const named = fields.map((field) => call.input[field])
    .filter((value) => value !== undefined && value !== null && value !== "");
  if (named.length === 0) return call.cwd;
  const [folder] = named;
  if (typeof folder !== "string" || new Set(named).size > 1) {
    throw new EventFault("the folder that the call runs in is not clear");
  }
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder);
  if (isAbsolute) return folder;
  if (call.cwd === undefined) throw new EventFault(`the folder "${folder}" is relative to none`);
  return `${call.cwd}/${folder}`;
}

/**
 * Folders that a command names in fields of which nobody knows whether its agent heeds them, but for that of the event:
 * what may run there has to be fine in either. Throws EventFault.
 */
function strayFolders(call: Placed, known: readonly string[]): readonly string[] {
  const stray = NAMES.filter((name) => !known.includes(name) && Object.hasOwn(call.input, name))
    .map((name) => folderOf(call, [name]))
    .filter((folder) => folder !== undefined && folder !== call.cwd);
  return [...new Set(stray)].flatMap((folder) => folder === undefined ? [] : [folder]);
}
