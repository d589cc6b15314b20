/** The names of Gemini CLI's tools, with ours; exports use the first of several. */
const NAMES: readonly (readonly [gemini: string, own: string])[] = [
  ["run_shell_command", "Bash"],
  ["read_file", "Read"],
  ["write_file", "Write"],
  ["replace", "Edit"],
  ["glob", "Glob"],
  ["grep_search", "Grep"],
  ["search_file_content", "Grep"],
  ["web_fetch", "WebFetch"],
  ["google_web_search", "WebSearch"],
  ["write_todos", "TodoWrite"],
  ["enter_plan_mode", "EnterPlanMode"],
  ["exit_plan_mode", "ExitPlanMode"],
];

/** Our names of its tools that change nothing. */
export const READING: readonly string[] = NAMES.map(([, own]) => own).filter((own, index, all) =>
  !["Bash", "Write", "Edit"].includes(own) && all.indexOf(own) === index
);

/**
 * Our tools for a name of Gemini CLI that is only a part of them, so that an allow would be too broad: two of its tools are
 * one of ours, or the end of the server's name is not certain. Undefined for every other name.
 */
export function sharedTools(name: string): readonly string[] | undefined {
  if (name === "list_directory") return ["Glob"];
  if (name === "read_many_files") return ["Read"];
  const old = /^([^*?]+?)__([^*?]+|\*)$/.exec(name);
  if (old && !name.startsWith("mcp__")) return [name, `mcp__${name}`];
  if (!/^mcp_[^_*]+_[^*]*_/.test(name) || /[?:()\s]|\*./.test(name)) return undefined;
  return [name, `mcp__${name.slice("mcp_".length).replaceAll("_", "_*")}`];
}

/** Our name of a tool; undefined for a name with a wildcard, unless it is for an MCP server. */
export function ownTool(name: string): string | undefined {
  const known = NAMES.find(([gemini]) => gemini === name);
  if (known) return known[1];
  if (name === "*" || !name.includes("*") && !name.startsWith("mcp_")) return name;
  if (name === "mcp_*") return "mcp__*";
  const mcp = /^mcp_([^_*]+)_(\*|[^*]+)$/.exec(name);
  return mcp ? `mcp__${mcp[1]}__${mcp[2]}` : undefined;
}

/** Gemini CLI's name of a tool, or of all tools of an MCP server; undefined where it has none. */
export function geminiTool(own: string): string | undefined {
  const known = NAMES.find(([, name]) => name === own);
  if (known) return known[0];
  if (own === "*") return own;
  if (own === "mcp__*") return "mcp_*";
  const mcp = /^mcp__([^_*?]+)__(\*|[^*?]+)$/.exec(own);
  if (mcp) return `mcp_${mcp[1]}_${mcp[2]}`;
  return /[*?]|^mcp_/.test(own) ? undefined : own;
}
