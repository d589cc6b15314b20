import type { PartialOverlap } from "../../../analysis/analysis.ts";
import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import { strictness } from "../../../model/call.ts";
import type { Rule } from "../../../model/rule.ts";
import type { CompiledPolicy, CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { foundAt, hasEnded, listed, ruleAt, ruleName, shown } from "../../place_finding.ts";
import { repeatedRules } from "../../rule_specifier.ts";

/** Strict rules that a looser rule above beats for some calls without being an exception to them. */
export const orderTrap: Check = {
  id: "order-trap",
  severity: "warning",
  docs: {
    what:
      "A deny or ask that a looser rule above overrides for some calls, without being an exception",
    why:
      "The first rule that matches decides. In systems where a deny always wins (Claude Code) or the last match " +
      "decides (opencode), the same rules refuse those calls; here the looser rule lets them through. Exceptions, which " +
      "match only calls of the rule below them, are not reported, nor are rules of other files. If the order is intended, " +
      "put # caliban-ignore: order-trap with the reason on the line above.",
    avoid: example([rule("Read:src/**", "allow"), rule("Read:**/.env", "deny")]),
    prefer: example([rule("Read:**/.env", "deny"), rule("Read:src/**", "allow")]),
  },
  find(context) {
    const reported = repeatedRules(context);
    return context.rules.flatMap((linted) => {
      if (reported.has(linted.rule) || hasEnded(context, linted)) return [];
      const overlaps = looserAbove(linted, context);
      return overlaps.length === 0 ? [] : [trapAt(linted, { crossings: overlaps, context })];
    });
  },
};

/** The most rules above that are named. */
const MOST = 3;

/** Looser rules above in the same file that decide some of the rule's calls, and also others. */
function looserAbove(
  { rule }: LintedRule,
  { analysis, policy }: LintContext,
): readonly PartialOverlap[] {
  const { kind } = analysis.reachability(rule);
  if (rule.action === "allow" || kind === "shadowed" || kind === "never") return [];
  const found: PartialOverlap[] = [];
  const isLooser = ({ action, source }: Rule) =>
    source.path === rule.source.path && strictness(action) < strictness(rule.action);
  for (const overlap of analysis.partialOverlaps(rule, isLooser)) {
    if (isBySchemeAlone(overlap, { rule, policy })) continue;
    if (found.push(overlap) === MOST) break;
  }
  return found.sort((a, b) => a.rule.index - b.rule.index);
}

/** True if a `domain:`, which fits every scheme, would be an exception to the rule if not for http. */
function isBySchemeAlone(
  { rule: earlier, beyond: { tool, input } }: PartialOverlap,
  { rule, policy }: { rule: CompiledRule; policy: CompiledPolicy },
): boolean {
  const url = input["url"];
  if (!/^\w+[:(]domain:/.test(earlier.pattern) || typeof url !== "string") return false;
  const secure = { tool, input: { ...input, url: url.replace(/^http:/, "https:") } };
  const toolRule = policy.toolRules(tool).find((each) => each.rule === rule);
  return toolRule?.matches(policy.request(secure)) === "yes";
}

function trapAt(
  linted: LintedRule,
  { crossings: overlaps, context }: { crossings: readonly PartialOverlap[]; context: LintContext },
): Found {
  const { rule } = linted;
  const by = overlaps.map((each) => each.rule);
  const names = listed(by.map((each) => ruleAt(each, { policy: context.policy, from: rule })));
  return foundAt(linted, {
    message: `${ruleName(rule)} does not apply to all its calls: ${names} ${
      by.length === 1 ? "decides" : "decide"
    } some of them first${by.length === MOST ? ", and other rules may" : ""}`,
    related: by,
    ...shown(context, overlaps[0]!.witness),
    hint:
      "Move it above, or make the rules above it narrower; if you want this order, say so in a comment: " +
      "caliban perms lint --explain order-trap",
  });
}
