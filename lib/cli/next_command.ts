import { readLine } from "../shell/read_line.ts";
import type { ToolCall } from "../model/call.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { narrowPattern } from "../suggest/narrow_pattern.ts";
import { findRemedy, type RemedyOptions, type SuggestedFix } from "../suggest/remedy.ts";
import { commandLine } from "../text/quote.ts";

/** What the command must say besides the rule. */
export interface CommandOptions {
  /** The folder that `--workspace` named. */
  readonly workspace?: string | undefined;
}

/** The command that adds a remedy. */
export function remedyCommand(
  { pattern, action, scope, first }: SuggestedFix,
  { workspace }: CommandOptions = {},
): string {
  // Before the dots, for the first rule flag of the line decides.
  if (scope === "line") return `caliban check ${commandLine([`--${action}`, pattern])} …`;
  const flags = [
    ...(scope === "project" ? [] : ["--scope", scope]),
    ...(first ? ["--first"] : []),
    ...(workspace === undefined || scope === "user" ? [] : ["--workspace", workspace]),
  ];
  return commandLine(["caliban", "perms", "add", pattern, action, ...flags]);
}

/**
 * The remedy that would have a call allowed from now on: for its program and sub-command where that works, else for the
 * call to the letter; undefined when no rule of a file would.
 */
export function nextRemedy(policy: Policy, options: RemedyOptions): SuggestedFix | undefined {
  const { call, verdict } = options;
  // What cannot be evaluated is nothing to be waved through: explain shows what it would take.
  if (verdict.action === "allow" || verdict.by === "safety" || isCompound(policy, call)) {
    return undefined;
  }
  const pattern = narrowPattern(policy.request(call));
  if (pattern === undefined) return undefined;
  const narrow = findRemedy(policy, { ...options, pattern });
  const remedy = narrow ?? findRemedy(policy, options);
  return remedy === null || remedy.scope === "line" ? undefined : remedy;
}

function isCompound(policy: Policy, call: ToolCall): boolean {
  const { first, profile } = policy.request(call);
  return profile.kind === "command" && first.state === "text" &&
    readLine(first.text).units.length > 1;
}
