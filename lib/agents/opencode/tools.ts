import { matchGlob } from "../../pattern/glob.ts";
import { ALL_EDIT_TOOLS, wildGlob } from "../convert/patterns.ts";

/** Our names of the tools of each permission without a pattern. */
export const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["glob", ["Glob"]],
  ["grep", ["Grep"]],
  ["websearch", ["WebSearch"]],
  ["task", ["Task", "Agent"]],
  ["skill", ["Skill"]],
  ["todowrite", ["TodoWrite"]],
  ["question", ["AskUserQuestion"]],
]);

/** Permissions that are only a part of our tools, so that an allow of them would be too broad. */
export const SHARED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["list", ["Glob", "LS"]],
  ["todoread", ["TodoWrite"]],
  ...["write", "patch", "apply_patch", "multiedit"].map((name) => [name, ALL_EDIT_TOOLS] as const),
]);

const KNOWN = ["bash", "edit", "read", "webfetch", ...TOOLS.keys(), ...SHARED.keys()];

/** The permissions of known tools that a wildcard matches. */
export function knownPermissions(wildcard: string): readonly string[] {
  const glob = wildGlob(wildcard, { one: true });
  return KNOWN.filter((name) => matchGlob(glob, name));
}

/**
 * Our names of a tool that is not in the tables. A tool of an MCP server is `server_tool` there and `mcp__server__tool` here,
 * and the end of the server's name is not certain. Undefined where a wildcard has no exact form.
 */
export function ownTools(permission: string): readonly string[] | undefined {
  if (/[*?]./.test(permission) || permission.endsWith("?")) return undefined;
  if (permission.endsWith("*") && !permission.endsWith("_*")) return undefined;
  const splits = [...permission.matchAll(/_/g)].flatMap(({ index }) => {
    const [server, tool] = [permission.slice(0, index), permission.slice(index + 1)];
    return server === "" || tool === "" ? [] : [`mcp__${server}__${tool}`];
  });
  return [permission, ...splits];
}

/** Names that match every tool whose permission a wildcard matches, and maybe more. */
export function wideTools(permission: string): readonly string[] {
  const loose = permission.replaceAll("?", "?*").replaceAll("_", "_*").replaceAll(/\*+/g, "*");
  return [permission, `mcp__${loose}`];
}

/** The permissions for tools that caliban knows. */
export const PERMISSIONS: readonly string[] = [
  "bash",
  "edit",
  "read",
  "webfetch",
  "websearch",
  "glob",
  "grep",
  "todowrite",
  "task",
  "skill",
];

const NAMES: ReadonlyMap<string, string> = new Map([
  ["Agent", "task"],
  ["Edit", "edit"],
  ["Write", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["AskUserQuestion", "question"],
]);

/** The name of a tool's permission. */
export function permissionOf(tool: string): string {
  const mcp = /^mcp__([^_].*?)__(.+)$/.exec(tool);
  if (mcp) return `${mcp[1]}_${mcp[2]}`;
  return NAMES.get(tool) ?? (PERMISSIONS.includes(tool.toLowerCase()) ? tool.toLowerCase() : tool);
}
