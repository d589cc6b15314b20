import type { FormatRule } from "./format.ts";
import type { Loss } from "../../model/problem.ts";
import { strictness } from "../../model/call.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { type EditResult, insertRule } from "../../policy/edit/edit_rules.ts";
import { formatInstant } from "../../text/instant.ts";
import { type NewRule, ruleBlock } from "../../policy/edit/policy_pairs.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { addToText } from "../../policy/edit/add_to_text.ts";
import { mayOverlap } from "../../policy/edit/may_overlap.ts";

/** The result of adding several rules to the text of a policy file. */
export type AddAllResult =
  | {
    readonly kind: "added";
    readonly text: string;
    /** The number of rules that were written. */
    readonly added: number;
    /** The number of rules that the file had already. */
    readonly stood: number;
    /** The losses that the order of the file causes. */
    readonly losses: readonly Loss[];
  }
  | { readonly kind: "refused"; readonly why: Extract<EditResult, { ok: false }> };

/**
 * Adds rules, highest first, to the text of a permissions.toml without its byte order mark. A file without rules gets them in
 * their own order; into another one they go one by one, as the verb `add` places them.
 */
export function addAllToText(
  text: string,
  { rules, profiles }: { readonly rules: readonly FormatRule[]; readonly profiles: ToolProfiles },
): AddAllResult {
  if (decodePolicy(text).rules.length === 0) return allInOrder(text, rules);
  const losses: Loss[] = [];
  let [current, added, stood] = [text, 0, 0];
  for (const [index, rule] of rules.entries()) {
    const result = addToText(current, {
      rule: newRule(rule),
      until: rule.expiresAt,
      first: false,
      profiles,
    });
    if (result.kind === "refused") return result;
    if (result.kind === "stands") stood++;
    else {
      [current, added] = [result.text, added + 1];
      losses.push(...overtaken(rule, { before: rules.slice(0, index), profiles }));
    }
  }
  return { kind: "added", text: current, added, stood, losses };
}

/** Adds rules to a file that has none. */
function allInOrder(text: string, rules: readonly FormatRule[]): AddAllResult {
  let current = text;
  const [first, ...rest] = rules.map(newRule);
  if (first) {
    const result = insertRule(current, first, { before: undefined });
    if (!result.ok) return { kind: "refused", why: result };
    const block = ruleBlock(first);
    const at = result.text.indexOf(block);
    const isSure = at >= 0 && result.text.indexOf(block, at + 1) < 0;
    current = isSure
      ? result.text.slice(0, at) + [first, ...rest].map(ruleBlock).join("\n") +
        result.text.slice(at + block.length)
      : result.text;
    for (const rule of isSure ? [] : rest) {
      const next = insertRule(current, rule, { before: undefined });
      if (!next.ok) return { kind: "refused", why: next };
      current = next.text;
    }
  }
  return { kind: "added", text: current, added: rules.length, stood: 0, losses: [] };
}

/** The losses of rules that were above a stricter rule, which now goes above them. */
function overtaken(
  rule: FormatRule,
  { before, profiles }: { before: readonly FormatRule[]; profiles: ToolProfiles },
): readonly Loss[] {
  return before.filter((other) =>
    strictness(other.action) < strictness(rule.action) &&
    mayOverlap(other, { stricter: rule, profiles })
  ).map((other) => ({
    kind: "narrowed",
    subject: other.pattern,
    action: other.action,
    detail: `"${rule.action} ${rule.pattern}" goes above it, as every deny and ask does`,
  }));
}

function newRule({ pattern, action, comment, reason, expiresAt }: FormatRule): NewRule {
  return {
    pattern,
    action,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt: formatInstant(expiresAt) }),
  };
}
