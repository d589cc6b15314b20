import { example, rule } from "../example.ts";
import { TOO_LONG, TOO_MANY } from "../../analysis/reach.ts";
import type { Check } from "../check.ts";
import { foundAt, hasEnded } from "../found_at.ts";
import { ruleName } from "../words.ts";

/** Rules about which the analysis gave up, so that other checks may be silent about them. */
export const notAnalysed: Check = {
  id: "not-analysed",
  severity: "warning",
  docs: {
    what: "A rule of which finding out whether it ever decides would take too long",
    why:
      "Patterns with many wildcards that cross each other have more cases than are looked at. Other checks may then be " +
      "silent about the rule, and about those that it meets, though there is something to find.",
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
      const reach = context.analysis.reachability(linted.rule);
      if (reach.kind !== "unknown" || !REASONS.includes(reach.why)) return [];
      return [foundAt(linted, {
        message: `Whether ${ruleName(linted.rule)} ever decides was not found out: ${reach.why}`,
        hint: "Write patterns with fewer wildcards, here or above",
      })];
    });
  },
};

const REASONS: readonly string[] = [TOO_LONG, TOO_MANY];
