import type { Action, ToolCall } from "../../lib/model/call.ts";
import type { PathContext } from "../../lib/pattern/path/call_path.ts";
import { policyOf } from "./policy.ts";

/** One row of a table of patterns: whether a rule fits a call. */
export interface PatternCase {
  /** The rule's pattern. */
  readonly pattern: string;
  /** The rule's action. */
  readonly action: Action;
  /** The call. */
  readonly call: ToolCall;
  /** The answer of the rule; `absent` if it does not speak of the tool at all. */
  readonly match: "yes" | "no" | "unknown" | "absent";
  /** The reading of commands; `parsed` when left out. */
  readonly shell?: "parsed" | "literal";
  /** The settings by which paths are compared, if they differ from CONTEXT. */
  readonly context?: Partial<PathContext>;
  /** The folder of the call. */
  readonly cwd?: string;
  /** Links by path, and where they lead; null for a loop. */
  readonly links?: Readonly<Record<string, string | null>>;
  /** The reason for the row, where that is not plain. */
  readonly why?: string;
}

/** The row in one line. */
export function titleOf({ pattern, action, call, match, shell, why }: PatternCase): string {
  const how = shell === undefined ? "" : ` (${shell})`;
  const because = why === undefined ? "" : `: ${why}`;
  return `${match} for ${action} ${pattern}${how} and ${call.tool} ${
    JSON.stringify(call.input)
  }${because}`;
}

/** The answer of the rule to the call. */
export function matchOf(row: PatternCase): PatternCase["match"] {
  const { pattern, action, links, shell, cwd } = row;
  const realPath = links && ((path: string) => followed(path, links));
  const policy = policyOf([{ pattern, action }], {
    ...(shell === undefined ? {} : { shell }),
    ...(cwd === undefined ? {} : { cwd }),
    context: { ...row.context, ...(realPath === undefined ? {} : { realPath }) },
  });
  const [toolRule] = policy.toolRules(row.call.tool);
  if (toolRule === undefined) return "absent";
  const match = toolRule.matches(policy.request(row.call));
  return match === "indeterminate" ? "unknown" : match;
}

/** The path as a kernel opens it: name by name, dots after links. */
function followed(path: string, links: Readonly<Record<string, string | null>>): string | null {
  let real = "";
  for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
    if (name === "..") real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
    else real = real === "" && !path.startsWith("/") ? name : `${real}/${name}`;
    const target = links[real];
    if (target === null) return null;
    if (target !== undefined) real = target;
  }
  return real === "" ? "/" : real;
}
