import { example, rule } from "../example.ts";
import type { Check, Found } from "../check.ts";
import type { Precision, Reachability } from "../../analysis/analysis.ts";
import type { Rule } from "../../model/rule.ts";
import { foundAt, hasEnded, shown } from "../found_at.ts";
import type { LintContext, LintedRule } from "../lint_context.ts";
import { isNeedless } from "../needless.ts";
import { removal } from "../removal.ts";
import { repeatedRules } from "../repeated.ts";
import { listed, ruleAt, ruleName } from "../words.ts";

/** Rules that others always decide before. */
export const shadowed: Check = {
  id: "shadowed",
  severity: "warning",
  docs: {
    what: "A rule that earlier rules, one or several together, always decide first",
    why:
      "The first rule that fits decides, so this one never does. A deny below a broader allow protects nothing; an " +
      "allow below a broader ask still asks. Where all that decides first stands in other files, which may be meant, " +
      "it is a note; but not where an allow of the project beats what you deny or ask.",
    avoid: example([rule("Bash(git:*)", "allow"), rule("Bash(git push:*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny"), rule("Bash(git:*)", "allow")]),
  },
  find(context) {
    const { rules, analysis } = context;
    const told = repeatedRules(context);
    return rules.flatMap((linted) => {
      if (told.has(linted.rule) || hasEnded(context, linted)) return [];
      const reach = analysis.reachability(linted.rule);
      return reach.kind === "shadowed" ? [shadowedAt(linted, { reach, context })] : [];
    });
  },
};

function shadowedAt(
  linted: LintedRule,
  { reach, context }: { reach: Extract<Reachability, { kind: "shadowed" }>; context: LintContext },
): Found {
  const { rule } = linted;
  const { by, precision, witness } = reach;
  const { policy } = context;
  const names = listed(by.map((each) => ruleAt(each, { policy, from: rule })));
  const isWhole = precision === "every call";
  const isOwn = by.every(({ source }) => source.path === rule.source.path);
  const isBeaten = rule.source.kind === "user" && rule.action !== "allow" &&
    by.some(({ action, source }) =>
      action === "allow" && (source.kind === "project" || source.kind === "local")
    );
  return foundAt(linted, {
    ...(isOwn || isBeaten ? {} : { severity: "note" as const }),
    message: `${ruleName(rule)} ${NEVER[precision]}: ${names} ${
      by.length === 1 ? "decides" : "decide"
    } first`,
    related: by,
    ...shown(context, witness),
    hint: isBeaten ? TRUST_HINT : hintFor(linted, { by, isOwn }),
    ...(isWhole && isOwn && isNeedless(rule, context) ? removal(linted) : {}),
  });
}

const NEVER: Readonly<Record<Precision, string>> = {
  "every call": "never decides",
  "plain commands": "decides no plain command",
  "plain paths": "decides about no plain path",
  "plain URLs": "decides about no plain URL",
};

const TRUST_HINT =
  'With "require_trust = true" in this file, the project\'s allow rules wait for "caliban trust"';

function hintFor(
  { rule }: LintedRule,
  { by, isOwn }: { by: readonly Rule[]; isOwn: boolean },
): string {
  if (!isOwn) return "Move it to a file that counts for more, or remove it";
  return by.every(({ action }) => action === rule.action)
    ? "Remove it, for the others say the same"
    : "Move it above them, or remove it";
}
