/** The names of Gemini CLI's tools, with the name here; of several the first is written. */
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

/** The tools here that change nothing, with those that have a name of their own. */
export const READING: readonly string[] = NAMES.map(([, own]) => own).filter((own, index, all) =>
  !["Bash", "Write", "Edit"].includes(own) && all.indexOf(own) === index
);

/**
 * The tools here that hold what a name of Gemini CLI means and more, so that an allow of it cannot be said: two tools there
 * are one here, or where the server's name ends is not certain. Undefined for every other name.
 */
export function sharedTools(name: string): readonly string[] | undefined {
  if (name === "list_directory") return ["Glob"];
  if (name === "read_many_files") return ["Read"];
  const old = /^([^*?]+?)__([^*?]+|\*)$/.exec(name);
  if (old && !name.startsWith("mcp__")) return [name, `mcp__${name}`];
  if (!/^mcp_[^_*]+_[^*]*_/.test(name) || /[?:()\s]|\*./.test(name)) return undefined;
  return [name, `mcp__${name.slice("mcp_".length).replaceAll("_", "_*")}`];
}

/** What a tool of Gemini CLI is called here; undefined for a name with a wildcard that is none of an MCP server. */
export function ownTool(name: string): string | undefined {
  const known = NAMES.find(([gemini]) => gemini === name);
  if (known) return known[1];
  if (name === "*" || !name.includes("*") && !name.startsWith("mcp_")) return name;
  if (name === "mcp_*") return "mcp__*";
  const mcp = /^mcp_([^_*]+)_(\*|[^*]+)$/.exec(name);
  return mcp ? `mcp__${mcp[1]}__${mcp[2]}` : undefined;
}

/** What a tool, or a wildcard over one MCP server's, is called there; undefined where it cannot be said. */
export function geminiTool(own: string): string | undefined {
  const known = NAMES.find(([, name]) => name === own);
  if (known) return known[0];
  if (own === "*") return own;
  if (own === "mcp__*") return "mcp_*";
  const mcp = /^mcp__([^_*?]+)__(\*|[^*?]+)$/.exec(own);
  if (mcp) return `mcp_${mcp[1]}_${mcp[2]}`;
  return /[*?]|^mcp_/.test(own) ? undefined : own;
}
