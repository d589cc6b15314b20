import { example, rule } from "../example.ts";
import type { PartialOverlap } from "../../analysis/analysis.ts";
import type { Check, Found } from "../check.ts";
import { strictness } from "../../model/action.ts";
import type { Rule } from "../../model/rule.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { CompiledRule } from "../../policy/compile/rule_table.ts";
import { foundAt, hasEnded, shown } from "../found_at.ts";
import type { LintContext, LintedRule } from "../lint_context.ts";
import { repeatedRules } from "../repeated.ts";
import { listed, ruleAt, ruleName } from "../words.ts";

/** Strict rules that a looser one above, which is no exception to them, beats for some calls. */
export const orderTrap: Check = {
  id: "order-trap",
  severity: "warning",
  docs: {
    what:
      "A deny or ask that a looser rule above it beats for some calls, without being an exception to it",
    why:
      "The first rule that fits decides. In systems where a deny always wins, as in Claude Code, or where the last rule " +
      "that fits does, as in opencode, the same rules say no; here the looser one lets those calls through. An exception, " +
      "which fits nothing but what the rule below it fits, is not told; nor is what stands in another file. Where the order is " +
      "meant, # caliban-ignore: order-trap and the reason on the line above leaves it out.",
    avoid: example([rule("Read:src/**", "allow"), rule("Read:**/.env", "deny")]),
    prefer: example([rule("Read:**/.env", "deny"), rule("Read:src/**", "allow")]),
  },
  find(context) {
    const told = repeatedRules(context);
    return context.rules.flatMap((linted) => {
      if (told.has(linted.rule) || hasEnded(context, linted)) return [];
      const crossings = looserAbove(linted, context);
      return crossings.length === 0 ? [] : [trapAt(linted, { crossings, context })];
    });
  },
};

/** How many rules above are named; the others are told of when those are in order. */
const MOST = 3;

/** Rules above in the same file that say something looser about some of its calls, and decide others. */
function looserAbove(
  { rule }: LintedRule,
  { analysis, policy }: LintContext,
): readonly PartialOverlap[] {
  const { kind } = analysis.reachability(rule);
  if (rule.action === "allow" || kind === "shadowed" || kind === "never") return [];
  const found: PartialOverlap[] = [];
  const isLooser = ({ action, source }: Rule) =>
    source.path === rule.source.path && strictness(action) < strictness(rule.action);
  for (const crossing of analysis.partialOverlaps(rule, isLooser)) {
    if (isBySchemeAlone(crossing, { rule, policy })) continue;
    if (found.push(crossing) === MOST) break;
  }
  return found.sort((a, b) => a.rule.index - b.rule.index);
}

/** Whether a `domain:`, which speaks of every scheme, is an exception to the rule but for http. */
function isBySchemeAlone(
  { rule: earlier, beyond: { tool, input } }: PartialOverlap,
  { rule, policy }: { rule: CompiledRule; policy: Policy },
): boolean {
  const url = input["url"];
  if (!/^\w+[:(]domain:/.test(earlier.pattern) || typeof url !== "string") return false;
  const secure = { tool, input: { ...input, url: url.replace(/^http:/, "https:") } };
  const toolRule = policy.toolRules(tool).find((each) => each.rule === rule);
  return toolRule?.matches(policy.request(secure)) === "yes";
}

function trapAt(
  linted: LintedRule,
  { crossings, context }: { crossings: readonly PartialOverlap[]; context: LintContext },
): Found {
  const { rule } = linted;
  const by = crossings.map((each) => each.rule);
  const names = listed(by.map((each) => ruleAt(each, { policy: context.policy, from: rule })));
  return foundAt(linted, {
    message: `${ruleName(rule)} does not hold for all that it names: ${names} ${
      by.length === 1 ? "decides" : "decide"
    } some of it first${by.length === MOST ? ", and others may" : ""}`,
    related: by,
    ...shown(context, crossings[0]!.witness),
    hint:
      "Move it above, or make what stands above it narrower; where the order is meant, say so in a comment: " +
      "caliban perms lint --explain order-trap",
  });
}
