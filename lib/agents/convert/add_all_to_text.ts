import type { FormatRule } from "./format.ts";
import type { Loss } from "../../model/problem.ts";
import { strictness } from "../../model/call.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { addToText } from "../../policy/edit/add_to_text.ts";
import {
  type EditResult,
  insertRule,
  insertRules,
  refusedRule,
  type RuleRun,
} from "../../policy/edit/edit_rules.ts";
import { formatInstant } from "../../text/instant.ts";
import { type NewRule, ruleBlock } from "../../policy/edit/policy_pairs.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { mayOverlap, type RuleText } from "../../policy/edit/may_overlap.ts";
import { placeFor } from "../../policy/edit/place_among.ts";
import { meaningOf } from "../../policy/edit/place_rule.ts";
import type { PolicyFile } from "../../model/rule.ts";

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
 * their own order; into another one they go one by one, as the verb `add` places them, but the text is read and written once.
 */
export function addAllToText(
  text: string,
  { rules, profiles }: { readonly rules: readonly FormatRule[]; readonly profiles: ToolProfiles },
): AddAllResult {
  const file = decodePolicy(text);
  if (file.shape === "buckets") return oneByOne(text, { rules, profiles });
  if (file.rules.length === 0) return allInOrder(text, rules);
  const { list, added, refused } = placedAmong(file, { rules, profiles });
  const result = added === 0 ? { ok: true, text } as const : insertRules(text, runsOf(list));
  if (!result.ok) return { kind: "refused", why: result };
  if (refused !== undefined) return { kind: "refused", why: refused };
  const losses = list.flatMap(({ at }) =>
    at === undefined
      ? []
      : [{ at, found: overtaken(rules[at]!, { before: rules.slice(0, at), profiles }) }]
  ).toSorted((one, other) => one.at - other.at).flatMap(({ found }) => found);
  return { kind: "added", text: result.text, added, stood: rules.length - added, losses };
}

/** Adds rules to the lists of a file. */
function oneByOne(
  text: string,
  { rules, profiles }: { readonly rules: readonly FormatRule[]; readonly profiles: ToolProfiles },
): AddAllResult {
  let [current, stood]: [string, number] = [text, 0];
  const losses: Loss[] = [];
  for (const [at, rule] of rules.entries()) {
    const options = { rule: newRule(rule), until: rule.expiresAt, first: false, profiles };
    const result = addToText(current, options);
    if (result.kind === "refused") return result;
    if (result.kind === "stands") stood++;
    else {
      current = result.text;
      losses.push(...overtaken(rule, { before: rules.slice(0, at), profiles }));
    }
  }
  return { kind: "added", text: current, added: rules.length - stood, stood, losses };
}

/** A rule of the file after the adding. */
interface Listed {
  /** One object from rule to rule: what is known of it is kept by that. */
  readonly text: RuleText;
  /** A rule that is added. */
  readonly rule?: NewRule;
  /** Its index among those to add. */
  readonly at?: number;
}

/** The rules of a file and those that are added, in the order of the file to be; up to the first that no file can hold. */
function placedAmong(
  file: PolicyFile,
  { rules, profiles }: { readonly rules: readonly FormatRule[]; readonly profiles: ToolProfiles },
): {
  readonly list: readonly Listed[];
  readonly added: number;
  readonly refused?: Extract<EditResult, { ok: false }>;
} {
  const wrappers = file.settings.wrappers?.value.map(({ value }) => value) ?? [];
  const list: Listed[] = file.rules.map(({ pattern, action }) => ({
    text: { pattern: pattern.value, action },
  }));
  const texts = list.map(({ text }) => text);
  const standing = new Set(
    file.rules.map((rule) => meaningOf({ ...rule, pattern: rule.pattern.value }, profiles)),
  );
  let added = 0;
  for (const [at, rule] of rules.entries()) {
    const meaning = meaningOf(rule, profiles);
    if (standing.has(meaning)) continue;
    const refused = refusedRule(newRule(rule));
    if (refused !== undefined) return { list, added, refused };
    const place = placeFor(rule, { rules: texts, profiles, wrappers }) ?? texts.length;
    texts.splice(place, 0, rule);
    list.splice(place, 0, { text: rule, rule: newRule(rule), at });
    standing.add(meaning);
    added++;
  }
  return { list, added };
}

/** The added rules by the rule of the file that they stand above. */
function runsOf(list: readonly Listed[]): readonly RuleRun[] {
  const runs: { before: number | undefined; rules: NewRule[] }[] = [];
  let [index, run]: [number, NewRule[]] = [0, []];
  const close = (before: number | undefined) => {
    if (run.length > 0) runs.push({ before, rules: run });
    run = [];
  };
  for (const { rule } of list) {
    if (rule !== undefined) run.push(rule);
    else close(index++);
  }
  close(undefined);
  return runs;
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
