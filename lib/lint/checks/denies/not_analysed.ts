import { TOO_LONG, TOO_MANY } from "../../../analysis/reachability.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, hasEnded, ruleName } from "../../place_finding.ts";

/** Rules that the analysis gave up on, so that other checks may miss them. */
export const notAnalysed: Check = {
  id: "not-analysed",
  severity: "warning",
  docs: {
    what: "A rule that would take too long to analyse",
    why:
      "Overlapping patterns with many wildcards have too many cases to analyse. Other checks may then miss findings about " +
      "the rule and the rules that overlap it.",
    avoid: example([
      rule("*a*d*g*j*m*p*", "ask"),
      rule("*b*e*h*k*n*q*", "ask"),
      rule("*c*f*i*l*o*r*", "ask"),
      rule("*a*e*i*m*q*u*", "ask"),
      rule("mcp__db__*", "allow"),
      rule("mcp__db__*:x=1", "deny"),
    ]),
    prefer: example([rule("mcp__db__*:x=1", "deny"), rule("mcp__db__*", "allow")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      if (hasEnded(context, linted)) return [];
      const reachability = context.analysis.reachability(linted.rule);
      if (reachability.kind !== "unknown" || !REASONS.includes(reachability.why)) return [];
      return [foundAt(linted, {
        message: `Cannot tell if ${ruleName(linted.rule)} ever decides: ${reachability.why}`,
        hint: "Use fewer wildcards, here or in the rules above",
      })];
    });
  },
};

const REASONS: readonly string[] = [TOO_LONG, TOO_MANY];
