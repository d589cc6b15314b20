import { lookAtCommand } from "../shell/plain_command.ts";
import { evaluate } from "../engine/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Policy } from "../policy/policy.ts";
import { checkPattern } from "../policy/compile_policy.ts";
import { narrowPattern } from "../suggest/narrow_pattern.ts";
import { findRemedy, type Remedy, withRule } from "../suggest/remedy.ts";
import { commandLine } from "./quote.ts";

/** The command that adds a remedy. */
export function remedyCommand({ pattern, action, scope, first }: Remedy): string {
  // Before the dots, for the first rule flag of the line decides.
  if (scope === "line") return `caliban check ${commandLine([`--${action}`, pattern])} …`;
  const flags = [...(scope === "project" ? [] : ["--scope", scope]), ...(first ? ["--first"] : [])];
  return commandLine(["caliban", "perms", "add", pattern, action, ...flags]);
}

/**
 * The command that would have a call allowed from now on: for its program and sub-command where that works, else for the
 * call to the letter; undefined when no rule of a file would.
 */
export function nextCommand(
  policy: Policy,
  { call, verdict }: { call: ToolCall; verdict: Verdict },
): string | undefined {
  // What cannot be evaluated is nothing to be waved through: explain shows what it would take.
  if (verdict.action === "allow" || verdict.by === "safety" || isCompound(policy, call)) {
    return undefined;
  }
  if (policy.settings.managedOnly) return undefined;
  const pattern = narrowPattern(policy.facts(call));
  if (pattern === undefined || isRefused(pattern, policy)) return undefined;
  // Every rule above the built-in ones was tried and fits not: one that fits the call, put there, decides.
  if (verdict.rule?.source.kind === "builtin") {
    return remedyCommand({ pattern, action: "allow", scope: "project", first: false });
  }
  const exact = findRemedy(policy, { call, verdict });
  if (exact === null || exact.scope === "line") return undefined;
  const narrow: Remedy = { ...exact, pattern };
  const changed = withRule(policy, narrow);
  const works = changed !== undefined && evaluate(changed, call).action === "allow";
  return remedyCommand(works ? narrow : exact);
}

/** Whether `add` would refuse the pattern. */
function isRefused(pattern: string, { profiles }: Policy): boolean {
  if (/^Bash\([a-z0-9 ]+:\*\)$/.test(pattern)) return false;
  const { error, warning } = checkPattern(pattern, { action: "allow", profiles });
  return error !== undefined || warning !== undefined;
}

function isCompound(policy: Policy, call: ToolCall): boolean {
  const { first, profile } = policy.facts(call);
  return profile.kind === "command" && first.state === "text" &&
    lookAtCommand(first.text).kind === "compound";
}
