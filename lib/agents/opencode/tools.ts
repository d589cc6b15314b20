import { matchGlob } from "../../pattern/match_glob.ts";
import { wildGlob } from "../convert/bash_pattern.ts";
import { ALL_EDIT_TOOLS } from "../convert/tool_pattern.ts";

/** What each permission is called here, of those that take no pattern of their own. */
export const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["glob", ["Glob"]],
  ["grep", ["Grep"]],
  ["websearch", ["WebSearch"]],
  ["task", ["Task", "Agent"]],
  ["skill", ["Skill"]],
  ["todowrite", ["TodoWrite"]],
  ["question", ["AskUserQuestion"]],
]);

/** Permissions of tools that share a name with others here, so that an allow of them cannot be said. */
export const SHARED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["list", ["Glob", "LS"]],
  ["todoread", ["TodoWrite"]],
  ...["write", "patch", "apply_patch", "multiedit"].map((name) => [name, ALL_EDIT_TOOLS] as const),
]);

const KNOWN = ["bash", "edit", "read", "webfetch", ...TOOLS.keys(), ...SHARED.keys()];

/** The permissions of known tools that a wildcard fits. */
export function knownPermissions(wildcard: string): readonly string[] {
  const glob = wildGlob(wildcard, { one: true });
  return KNOWN.filter((name) => matchGlob(glob, name));
}

/**
 * The names here of tools that are known to no list: a tool of an MCP server is `server_tool` there and `mcp__server__tool`
 * here, and where the server's name ends is not said. Undefined where a wildcard cannot be told exactly.
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

/** Names that hold every tool whose permission a wildcard fits, and maybe more. */
export function wideTools(permission: string): readonly string[] {
  const wide = permission.replaceAll("?", "?*").replaceAll("_", "_*").replaceAll(/\*+/g, "*");
  return [permission, `mcp__${wide}`];
}
