import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import type { Precision, Reachability } from "../../../analysis/analysis.ts";
import type { Rule } from "../../../model/rule.ts";
import { foundAt, hasEnded, listed, ruleAt, ruleName, shown } from "../../place_finding.ts";
import { isRemovable, removal } from "../../removal.ts";
import { repeatedRules } from "../../rule_specifier.ts";

/** Rules before which others always decide. */
export const shadowed: Check = {
  id: "shadowed",
  severity: "warning",
  docs: {
    what: "A rule that never decides, because one or more earlier rules always decide first",
    why:
      "The first rule that matches decides, so this one never does. A deny below a broader allow protects nothing; an " +
      "allow below a broader ask still asks. If all rules that decide first are in other files, which may be intended, " +
      "it is a note, unless an allow of the project overrides your own deny or ask.",
    avoid: example([rule("Bash(git:*)", "allow"), rule("Bash(git push:*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny"), rule("Bash(git:*)", "allow")]),
  },
  find(context) {
    const { rules, analysis } = context;
    const reported = repeatedRules(context);
    return rules.flatMap((linted) => {
      if (reported.has(linted.rule) || hasEnded(context, linted)) return [];
      const reachability = analysis.reachability(linted.rule);
      return reachability.kind === "shadowed"
        ? [shadowedAt(linted, { reachability, context })]
        : [];
    });
  },
};

function shadowedAt(
  linted: LintedRule,
  { reachability, context }: {
    reachability: Extract<Reachability, { kind: "shadowed" }>;
    context: LintContext;
  },
): Found {
  const { rule } = linted;
  const { by, precision, witness } = reachability;
  const { policy } = context;
  const names = listed(by.map((each) => ruleAt(each, { policy, from: rule })));
  const isWhole = precision === "every call";
  // A deny or ask is also a question about calls that it cannot be compared with.
  const isNeeded = rule.action !== "allow" && isWhole &&
    context.analysis.redundancy(rule).kind === "needed";
  const isOwn = by.every(({ source }) => source.path === rule.source.path);
  const isBeaten = rule.source.kind === "user" && rule.action !== "allow" &&
    by.some(({ action, source }) =>
      action === "allow" && (source.kind === "project" || source.kind === "local")
    );
  return foundAt(linted, {
    ...(isOwn || isBeaten ? {} : { severity: "note" as const }),
    message: `${ruleName(rule)} ${
      isNeeded ? "decides no call that it matches" : NEVER[precision]
    }: ${names} ${by.length === 1 ? "decides" : "decide"} first`,
    related: by,
    ...shown(context, witness),
    hint: isBeaten ? TRUST_HINT : isNeeded ? NEEDED_HINT : hintFor(linted, { by, isOwn }),
    ...(isWhole && isOwn && isRemovable(rule, context) ? removal(linted) : {}),
  });
}

const NEVER: Readonly<Record<Precision, string>> = {
  "every call": "never decides",
  "plain commands": "decides no plain command",
  "plain paths": "decides no plain path",
  "plain URLs": "decides no plain URL",
};

const NEEDED_HINT =
  "Move it above them; without it, caliban no longer asks about calls that the rule cannot be compared with";

const TRUST_HINT =
  'Remove the allow from the project, or end its trust with "caliban trust --remove": then only its deny and ask rules count';

function hintFor(
  { rule }: LintedRule,
  { by, isOwn }: { by: readonly Rule[]; isOwn: boolean },
): string {
  if (!isOwn) return "Move it to a file with higher priority, or remove it";
  return by.every(({ action }) => action === rule.action)
    ? "Remove it; the others decide the same"
    : "Move it above them, or remove it";
}
