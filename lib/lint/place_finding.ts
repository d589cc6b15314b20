import { expired } from "../decide/first_match.ts";
import type { Action, ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Found, LintContext, LintedFile, LintedRule } from "./check.ts";
import { cutAt } from "../text/quote.ts";

/** A finding about a rule, placed at the rule's pattern. */
export function foundAt(
  { rule, written, file }: LintedRule,
  found: Omit<Found, "path" | "span" | "rule">,
): Found {
  return { ...found, path: file.path, span: written.pattern.span, rule };
}

/** A finding about a whole file, placed at its first character. */
export function foundIn(
  { path }: LintedFile,
  found: Omit<Found, "path" | "span" | "rule">,
): Found {
  return { ...found, path, span: { start: 0, end: 0, line: 1, column: 1 }, rule: null };
}

/** The verdict of the rules on a call, now. */
export function tried({ analysis }: LintContext, call: ToolCall): Verdict {
  return analysis.evaluate(call);
}

/** A call as a finding shows it, with the action of the rules. */
export function shown(
  context: LintContext,
  call: ToolCall,
): { readonly witness: ToolCall; readonly verdict: Action } {
  return { witness: call, verdict: tried(context, call).action };
}

/** True if a rule has expired and no longer counts; another check reports that. */
export function hasEnded({ policy, now }: LintContext, { rule }: LintedRule): boolean {
  return expired(rule, { settings: policy.settings, now });
}

/** The longest pattern in a message, in UTF-16 code units; a longer one is cut. */
const LONGEST = 120;

/** A rule as a message names it: `deny "Bash:rm *"`. */
export function ruleName({ action, pattern }: Rule): string {
  return `${action} "${cutAt(pattern, LONGEST)}"`;
}

/** The same with its line, and with its file if that is not the file of the rule `from`. */
export function ruleAt(
  rule: Rule,
  { policy, from }: { policy: CompiledPolicy; from: Rule },
): string {
  const { kind, path, line } = rule.source;
  if (kind === "builtin") return `the built-in ${ruleName(rule)}`;
  if (path === from.source.path) return `${ruleName(rule)} on line ${line}`;
  return `${ruleName(rule)} of the ${kind} file (${shortPath(path, policy)}:${line})`;
}

/** A path below the workspace without the workspace. */
function shortPath(path: string, { context }: CompiledPolicy): string {
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
