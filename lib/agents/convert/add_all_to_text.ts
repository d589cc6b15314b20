import type { FormatRule } from "./format.ts";
import type { Loss } from "../../model/loss.ts";
import { strictness } from "../../model/action.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { type EditResult, insertRule } from "../../policy/edit/edit_rules.ts";
import { formatInstant } from "../../text/instant.ts";
import { type NewRule, ruleBlock } from "../../policy/edit/rule_text.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { addToText } from "../../policy/edit/add_to_text.ts";
import { mayMeet } from "../../policy/edit/may_meet.ts";

/** What comes of adding several rules to the text of a policy file. */
export type AddAllResult =
  | {
    readonly kind: "added";
    readonly text: string;
    /** How many were written. */
    readonly added: number;
    /** How many stood there already. */
    readonly stood: number;
    /** What the order of the file took from them. */
    readonly losses: readonly Loss[];
  }
  | { readonly kind: "refused"; readonly why: Extract<EditResult, { ok: false }> };

/**
 * Adds rules, the first that fits first, to the text of a permissions.toml without its byte order mark: into a file without
 * rules in their own order, into another one by one as the verb `add` does.
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

/** The rules that stood above a stricter one, which now goes above them. */
function overtaken(
  rule: FormatRule,
  { before, profiles }: { before: readonly FormatRule[]; profiles: ToolProfiles },
): readonly Loss[] {
  return before.filter((other) =>
    strictness(other.action) < strictness(rule.action) &&
    mayMeet(other, { stricter: rule, profiles })
  ).map((other) => ({
    kind: "narrowed",
    subject: other.pattern,
    action: other.action,
    detail: `"${rule.action} ${rule.pattern}" is put above it, as every deny and ask is`,
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
