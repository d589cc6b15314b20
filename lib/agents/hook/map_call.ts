import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import { PATH_CHANGES, type PathReading } from "../../pattern/path/path_readings.ts";
import type { AgentName } from "../registry.ts";
import { type AgentEvent, EventFault } from "./hook_protocol.ts";
import { type AgentProfile, agentProfile, type MappedTool } from "../profile.ts";
import { patchFiles } from "../../text/patch_files.ts";
import { singleQuoted } from "../../text/quote.ts";

/** A call in the agent's own names. */
export interface ForeignCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** The folder that it runs in. */
  readonly cwd?: string | undefined;
}

/** A call in our names. */
export interface MappedCall {
  /** One call, or one for each file of a patch; at least one. */
  readonly calls: readonly ToolCall[];
  /** Other readings: each way to split a name that joins a server's and a tool's. */
  readonly readings: readonly ToolCall[];
  /** The reading of paths by the agent's tool; any change where it is left out. */
  readonly reading?: PathReading;
}

/** The limit of calls in an event: an agent waits only so long, and then runs them. */
export const MOST_CALLS = 1000;

/** The prefix of a tool of an MCP server that the agent does not name. */
export const UNNAMED_SERVER = "mcp__*__";

/** The event of one call in the agent's own names. Throws EventFault as mapCall does. */
export function eventOfCall(
  agent: AgentName,
  { name, folders, ...call }: ForeignCall & Pick<AgentEvent, "name" | "folders">,
): AgentEvent {
  const { cwd } = call;
  return { name, ...mapCall(agent, call), folders, ...(cwd === undefined ? {} : { cwd }) };
}

/** A call in our names. Throws EventFault where two spellings of a field differ. */
export function mapCall(agent: AgentName, call: ForeignCall): MappedCall {
  const profile = agentProfile(agent);
  const mapped = Object.hasOwn(profile.tools, call.tool)
    ? profile.tools[call.tool]
    : call.tool === "Bash"
    ? PLAIN_BASH
    : undefined;
  // A tool that nobody described may change a path in any way.
  if (mapped === undefined) return unmapped(call, profile);
  return { ...mappedCalls(call, { profile, mapped }), ...readingOf(profile, mapped) };
}

function readingOf(
  { paths = PATH_CHANGES }: AgentProfile,
  { finds }: MappedTool,
): Pick<MappedCall, "reading"> {
  if (paths === PATH_CHANGES && finds === undefined) return {};
  return { reading: { changes: paths, ...(finds && { finds }) } };
}

function mappedCalls(
  call: ForeignCall,
  { profile, mapped }: { readonly profile: AgentProfile; readonly mapped: MappedTool },
): MappedCall {
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
    readings: patchesIn(own, profile),
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

function unmapped({ tool, input, cwd }: ForeignCall, profile: AgentProfile): MappedCall {
  const own = placed(tool, { input, cwd });
  const readings = serverReadings(tool, profile.mcp).map((name) => placed(name, { input, cwd }));
  // A single reading is the call itself.
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return { calls: [only], readings: [own] };
  const alike = alikeTool(tool, profile);
  if (alike === undefined) return { calls: [own], readings };
  const meant = placed(alike.tool, { input: renamed(input, alike), cwd });
  return { calls: [own], readings: [...readings, meant] };
}

/** The tool whose name differs only in case. */
function alikeTool(tool: string, { tools }: AgentProfile): MappedTool | undefined {
  const isAlike = (name: string) => name !== tool && name.toLowerCase() === tool.toLowerCase();
  const theirs = Object.keys(tools).find(isAlike);
  if (theirs !== undefined) return tools[theirs];
  const ours = [...DEFAULT_TOOLS].find(isAlike);
  return ours === undefined ? undefined : { ...PLAIN_BASH, tool: ours };
}

function pathsOf(input: JsonObject, fields: readonly string[]): readonly string[] {
  const paths = fields.flatMap((field) => {
    const text = input[field];
    if (typeof text !== "string") return [];
    const files = patchFiles(text);
    if (files.unread !== undefined) {
      throw new EventFault("its patch has a line that may name a file and cannot be read");
    }
    return files.paths;
  });
  if (paths.length > MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} files`);
  return paths;
}

/**
 * The edits of patches in a command line as its text has them: agents with a tool for patches take `cd DIR && apply_patch` for a
 * call of it and read the text, not what a shell makes of it.
 */
function patchesIn({ tool, input, cwd }: ToolCall, { tools }: AgentProfile): readonly ToolCall[] {
  const { command } = input;
  const hasPatches = tool === "Bash" && Object.values(tools).some(({ patch }) => patch);
  if (!hasPatches || typeof command !== "string" || !/\*\*\* Begin Patch/i.test(command)) return [];
  const folders = command.matchAll(/\bcd\s+("[^"]*"|'[^']*'|(?:\\.|[^\s;&|\\])+)/gs)
    .map(([, word = ""]) => word.replace(/^(["'])(.*)\1$/s, "$2"));
  const bases = new Set(["", ...folders.map((folder) => `${folder}/`)]);
  const paths = pathsOf(input, ["command"]);
  if (paths.length * bases.size > MOST_CALLS) {
    throw new EventFault(`it names more than ${MOST_CALLS} files`);
  }
  return [...bases].flatMap((base) =>
    paths.filter((path) => base === "" || !/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path))
      .map((path) => placed("Edit", { input: { path: base + path }, cwd }))
  );
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

/** The shell line of a list of words. */
function lineOf(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word))
    .join(" ");
}

/** The limit of parts in a name that joins a server's and a tool's. */
const MOST_READINGS = 32;

/** Our names for a server's tool, one for each way to split the name; none for a name in our form. */
function serverReadings(tool: string, form: AgentProfile["mcp"]): readonly string[] {
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

/** Fields that hold the folder of a command for some agent. */
const FOLDER_FIELDS: readonly string[] = [
  "cwd",
  "Cwd",
  "workdir",
  "working_directory",
  "workingDirectory",
  "working_dir",
  "directory",
  "dir_path",
];

/** The folder that a call names in one of the fields, relative to the event's folder. Throws EventFault. */
function folderOf(
  call: Omit<ForeignCall, "tool">,
  fields: readonly string[],
): string | undefined {
  const named = fields.map((field) => call.input[field])
    .filter((value) => value !== undefined && value !== null && value !== "");
  if (named.length === 0) return call.cwd;
  const [folder] = named;
  if (typeof folder !== "string" || new Set(named).size > 1) {
    throw new EventFault("the folder that the call runs in is not clear");
  }
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder);
  if (isAbsolute) return folder;
  if (call.cwd === undefined) {
    throw new EventFault(`the folder "${folder}" is relative, and its base is unknown`);
  }
  return `${call.cwd}/${folder}`;
}

/**
 * Folders named in fields that the agent may ignore; the event's own folder excluded. The command must be allowed in each
 * of them. Throws EventFault.
 */
function strayFolders(
  call: Omit<ForeignCall, "tool">,
  known: readonly string[],
): readonly string[] {
  const stray = FOLDER_FIELDS.filter((name) =>
    !known.includes(name) && Object.hasOwn(call.input, name)
  )
    .map((name) => folderOf(call, [name]))
    .filter((folder) => folder !== call.cwd);
  return [...new Set(stray)].flatMap((folder) => folder === undefined ? [] : [folder]);
}
