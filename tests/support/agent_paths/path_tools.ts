import type { AgentName } from "../../../lib/agents/registry.ts";
import type { JsonObject } from "../../../lib/model/call.ts";

/** The part that a tool plays: `read` and `search` show a file, `list` the names in a folder; the others change or create a file. */
export type Part = "read" | "search" | "list" | "edit" | "write";

/** A tool that is given a path. */
export interface PathTool {
  readonly part: Part;
  readonly name: string;
  /** The input for a path; `text` is what it writes, or (for `edit`) puts in the place of OLD. */
  input(path: string, text: string): JsonObject | string;
  /** True if it takes absolute paths only. */
  readonly isAbsolute?: true;
  /** The tool that must have read a file before. */
  readonly after?: string;
  /** Spellings that are left out, with the reason. */
  readonly except?: { readonly spellings: RegExp; readonly reason: string };
}

/** The text that `edit` replaces. It stands in each file. */
export const OLD = "old text";

/** The text that `search` looks for. It stands before the mark in each file. */
export const SEARCHED = "found:";

type Facts = Pick<PathTool, "isAbsolute" | "after" | "except">;

function tool(
  part: Part,
  name: string,
  { input, ...facts }: Facts & Pick<PathTool, "input">,
): PathTool {
  return { part, name, input, ...facts };
}

function editOf(
  path: string,
  [old, replacement]: readonly [string, string] = ["old_string", "new_string"],
) {
  return (value: string, text: string) => ({ [path]: value, [old]: OLD, [replacement]: text });
}

/** The tools with paths of the agents in REAL_AGENTS, as these offer them. */
export const PATH_TOOLS: Partial<Record<AgentName, readonly PathTool[]>> = {
  claude: [
    tool("read", "Read", { input: (file_path) => ({ file_path }) }),
    tool("search", "Grep", {
      input: (path) => ({ path, pattern: SEARCHED, output_mode: "content" }),
    }),
    tool("list", "Glob", { input: (path) => ({ path, pattern: "*" }) }),
    tool("edit", "Edit", { input: editOf("file_path") }),
    tool("write", "Write", { input: (file_path, content) => ({ file_path, content }) }),
  ],
  codex: [
    tool("edit", "apply_patch", {
      input: (path, text) =>
        `*** Begin Patch\n*** Update File: ${path}\n@@\n-${OLD}\n+${text}\n*** End Patch`,
    }),
    tool("write", "apply_patch", {
      input: (path, text) => `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch`,
    }),
  ],
  gemini: [
    tool("read", "read_file", { input: (file_path) => ({ file_path }) }),
    tool("search", "grep_search", { input: (dir_path) => ({ dir_path, pattern: SEARCHED }) }),
    tool("list", "list_directory", { input: (dir_path) => ({ dir_path }) }),
    tool("list", "glob", { input: (dir_path) => ({ dir_path, pattern: "*" }) }),
    tool("edit", "replace", {
      input: (file_path, text) => ({ ...editOf("file_path")(file_path, text), instruction: "x" }),
    }),
    tool("write", "write_file", { input: (file_path, content) => ({ file_path, content }) }),
  ],
  copilot: [
    tool("read", "view", { input: (path) => ({ path }) }),
    tool("search", "grep", {
      input: (paths) => ({ paths, pattern: SEARCHED, output_mode: "content" }),
    }),
    tool("list", "glob", { input: (paths) => ({ paths, pattern: "*" }) }),
    tool("edit", "edit", { input: editOf("path", ["old_str", "new_str"]) }),
    tool("write", "create", { input: (path, file_text) => ({ path, file_text }) }),
  ],
  opencode: [
    tool("read", "read", { input: (filePath) => ({ filePath }) }),
    tool("search", "grep", { input: (path) => ({ path, pattern: SEARCHED }) }),
    tool("list", "glob", { input: (path) => ({ path, pattern: "*" }) }),
    tool("edit", "edit", { input: editOf("filePath", ["oldString", "newString"]) }),
    tool("write", "write", { input: (filePath, content) => ({ filePath, content }) }),
  ],
  grok: [
    tool("read", "read_file", { input: (target_file) => ({ target_file }) }),
    tool("search", "grep", { input: (path) => ({ path, pattern: SEARCHED }) }),
    tool("list", "list_dir", { input: (target_directory) => ({ target_directory }) }),
    tool("edit", "search_replace", { input: editOf("file_path") }),
    tool("write", "write", { input: (file_path, content) => ({ file_path, content }) }),
  ],
  droid: [
    tool("read", "Read", { isAbsolute: true, input: (file_path) => ({ file_path }) }),
    tool("search", "Grep", {
      input: (path) => ({ path, pattern: SEARCHED, output_mode: "content" }),
    }),
    tool("list", "LS", { isAbsolute: true, input: (directory_path) => ({ directory_path }) }),
    tool("list", "Glob", { input: (folder) => ({ folder, patterns: ["*"] }) }),
    tool("edit", "Edit", { input: editOf("file_path", ["old_str", "new_str"]) }),
    tool("write", "Create", { input: (file_path, content) => ({ file_path, content }) }),
  ],
  qwen: [
    tool("read", "read_file", { isAbsolute: true, input: (file_path) => ({ file_path }) }),
    tool("search", "grep_search", { input: (path) => ({ path, pattern: SEARCHED }) }),
    tool("list", "glob", {
      except: { spellings: /^NUL/, reason: "the agent hangs" },
      input: (path) => ({ path, pattern: "*" }),
    }),
    tool("edit", "edit", { isAbsolute: true, after: "read_file", input: editOf("file_path") }),
    tool("write", "write_file", {
      isAbsolute: true,
      input: (file_path, content) => ({ file_path, content }),
    }),
  ],
  kimi: [
    tool("read", "Read", { input: (path) => ({ path }) }),
    tool("search", "Grep", {
      input: (path) => ({ path, pattern: SEARCHED, output_mode: "content" }),
    }),
    tool("list", "Glob", { input: (path) => ({ path, pattern: "*" }) }),
    tool("edit", "Edit", { input: editOf("path") }),
    tool("write", "Write", { input: (path, content) => ({ path, content }) }),
  ],
};
