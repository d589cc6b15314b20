import { evaluate } from "../decide/evaluate.ts";
import type { Action } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Found } from "./check.ts";
import type { LintContext, LintedFile, LintedRule } from "./lint_context.ts";

/** A finding about a rule: it stands at the rule's pattern. */
export function foundAt(
  { rule, written, file }: LintedRule,
  found: Omit<Found, "path" | "span" | "rule">,
): Found {
  return { ...found, path: file.path, span: written.pattern.span, rule };
}

/** A finding about a whole file: it stands at its first character. */
export function foundIn(
  { path }: LintedFile,
  found: Omit<Found, "path" | "span" | "rule">,
): Found {
  return { ...found, path, span: { start: 0, end: 0, line: 1, column: 1 }, rule: null };
}

/** What the rules say about a call, now. */
export function tried({ policy, now }: LintContext, call: ToolCall): Verdict {
  return evaluate(policy, call, { now });
}

/** A call as a finding shows it, with what the rules say to it. */
export function shown(
  context: LintContext,
  call: ToolCall,
): { readonly witness: ToolCall; readonly verdict: Action } {
  return { witness: call, verdict: tried(context, call).action };
}

/** Whether an allow, once enforced, has ended: it no longer counts, and another check says so. */
export function hasEnded({ policy, now }: LintContext, { rule }: LintedRule): boolean {
  return policy.settings.enforceExpiry && rule.expiresAt !== undefined && now >= rule.expiresAt;
}
