import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import { PATH_CHANGES, type PathReading } from "../../pattern/path/path_readings.ts";
import type { AgentName } from "../registry.ts";
import { type AgentEvent, EventFault } from "./hook_protocol.ts";
import { type AgentProfile, agentProfile, type MappedTool } from "../profile.ts";
import { patchFiles } from "../../text/patch_files.ts";
import { singleQuoted } from "../../text/quote.ts";
import { isTexts, listed, MOST_CALLS, spread, urlsIn, withoutStray } from "./listed_files.ts";
import { serverNames } from "./server_names.ts";
import { calledBy } from "./wrapped_call.ts";

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
  /** The call in the agent's own names, where its tool has another name here: rules may name that one. */
  readonly own?: ToolCall;
  /** The reading of paths by the agent's tool; any change where it is left out. */
  readonly reading?: PathReading;
}

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

/**
 * A call in our names; a call of a tool that calls another one is that other call. Throws EventFault where two spellings of a
 * field differ.
 */
export function mapCall(agent: AgentName, call: ForeignCall): MappedCall {
  const profile = agentProfile(agent);
  const around: { readonly mapped: MappedCall; readonly isOpen: boolean }[] = [];
  let meant = call;
  for (let next = calledBy(meant, profile); next; next = calledBy(meant, profile)) {
    around.unshift({ mapped: mapDirect(meant, profile), isOpen: next.isOpen });
    if (around.length === MOST_WRAPPED) throw new EventFault("its tool calls a tool too often");
    meant = next.call;
  }
  const mapped = mapDirect(meant, profile);
  const open = around.filter(({ isOpen }) => isOpen).flatMap((each) => each.mapped.calls);
  return {
    ...mapped,
    calls: [...mapped.calls, ...open],
    readings: [
      ...mapped.readings,
      ...around.flatMap(({ mapped: { calls, readings, own }, isOpen }) => [
        ...isOpen ? [] : calls,
        ...readings,
        ...own ? [own] : [],
      ]),
    ],
  };
}

/** The most calls that one event holds, each the input of the one before. */
const MOST_WRAPPED = 4;

function mapDirect(call: ForeignCall, profile: AgentProfile): MappedCall {
  const mapped = Object.hasOwn(profile.tools, call.tool)
    ? profile.tools[call.tool]
    : call.tool === "Bash"
    ? PLAIN_BASH
    : undefined;
  // An undescribed tool may change a path in any way.
  if (mapped === undefined) return unmapped(call, profile);
  return {
    ...mappedCalls(call, { profile, mapped }),
    ...(mapped.tool === call.tool ? {} : { own: placed(call.tool, call) }),
    ...readingOf(profile, mapped),
  };
}

function readingOf(
  { paths = PATH_CHANGES }: AgentProfile,
  { finds, untried }: MappedTool,
): Pick<MappedCall, "reading"> {
  if (untried) return {};
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
  const input = renamed(listed(call.input, mapped.several), mapped);
  const ours = Object.values(mapped.fields);
  const own = [input, ...withoutStray(call.input, { input, ours, tool: mapped.tool })]
    .flatMap((each) => spread(each, ours))
    .map((each) => placed(mapped.tool, { input: each, cwd }));
  const strays = LINE_TOOLS.includes(mapped.tool) ? strayFolders(call, mapped.cwd) : [];
  return {
    calls: [...own, ...strays.flatMap((stray) => own.map((each) => ({ ...each, cwd: stray })))],
    readings: [
      ...own.flatMap((each) => patchesIn(each, profile)),
      ...urlsIn(call.input, mapped.urls).map((url) => placed(mapped.tool, { input: { url }, cwd })),
    ],
  };
}

const PLAIN_BASH: MappedTool = { tool: "Bash", fields: {}, cwd: [], unlike: [], several: [] };

const LINE_TOOLS: readonly string[] = ["Bash", "PowerShell", "Monitor"];

function placed(
  tool: string,
  { input, cwd }: Pick<ForeignCall, "input" | "cwd">,
): ToolCall {
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

function unmapped({ tool, input, cwd }: ForeignCall, profile: AgentProfile): MappedCall {
  const own = placed(tool, { input, cwd });
  const readings = serverNames(tool, profile.mcp).map((name) => placed(name, { input, cwd }));
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
  const folders = [...command.matchAll(/\bcd\s+("[^"]*"|'[^']*'|(?:\\.|[^\s;&|\\])+)/gs)]
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

/** The shell line of a list of words. */
function lineOf(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word))
    .join(" ");
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
