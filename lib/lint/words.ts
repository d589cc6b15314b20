import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/compile/policy.ts";

/** A longer pattern is cut in a message, in UTF-16 code units: it stands in the file. */
const LONGEST = 120;

/** A rule as a message names it: `deny "Bash:rm *"`. */
export function ruleName({ action, pattern }: Rule): string {
  const shown = pattern.length <= LONGEST
    ? pattern
    : `${pattern.slice(0, LONGEST - 1).toWellFormed()}…`;
  return `${action} "${shown}"`;
}

/** The same with its line, and with its file where that is another one than the rule's it is told at. */
export function ruleAt(rule: Rule, { policy, from }: { policy: Policy; from: Rule }): string {
  const { kind, path, line } = rule.source;
  if (kind === "builtin") return `the built-in ${ruleName(rule)}`;
  if (path === from.source.path) return `${ruleName(rule)} in line ${line}`;
  return `${ruleName(rule)} of the ${kind} file (${shortPath(path, policy)}:${line})`;
}

/** A path below the workspace without the workspace. */
function shortPath(path: string, { context }: Policy): string {
  const folder = context.workspace.find((each) => path.startsWith(`${each}/`));
  return folder === undefined ? path : path.slice(folder.length + 1);
}

/** `a`, `a and b`, or `a, b and 3 more`. */
export function listed(names: readonly string[], { most = 3 } = {}): string {
  const shown = names.length <= most ? names : names.slice(0, most - 1);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
