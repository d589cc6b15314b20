import type { ToolCall } from "../../model/call.ts";
import type { Rule } from "../../model/rule.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { LITERAL_PROBES, TRADE_PROBES } from "../exec_probes.ts";
import { foundAt, shown, tried } from "../found_at.ts";
import type { LintContext } from "../lint_context.ts";
import { callOf } from "../rule_spec.ts";
import { listed, ruleName } from "../words.ts";

/** Allow rules that let arbitrary programs run. */
export const allowsExec: Check = {
  id: "allows-exec",
  severity: "warning",
  docs: {
    what: "An allow that lets arbitrary programs run: python *, npx *, make *, bare Bash",
    why:
      "Running code is what these programs are for, so such a rule allows as much as a bare Bash does, whatever is denied " +
      'elsewhere. With shell = "literal" it also finds programs that run others through an option, as find and git -c.',
    avoid: example([rule("Bash:python3 *", "allow")]),
    prefer: example([rule("Bash(python3 scripts/build.py:*)", "allow")]),
  },
  find(context) {
    const runs = allowedRuns(context);
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const calls = runs.get(rule) ?? [];
      const [first] = calls;
      if (first === undefined) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} lets any program run: ${
          listed(calls.map(({ text }) => `"${text}"`))
        }`,
        ...shown(context, first.call),
        hint: "Name the scripts or sub-commands that are meant, or ask",
      })];
    });
  },
};

interface Run {
  readonly text: string;
  readonly call: ToolCall;
}

/** The probes that are allowed, by the rule that allows them. */
function allowedRuns(context: LintContext): ReadonlyMap<Rule, readonly Run[]> {
  const { profiles } = context.policy;
  const found = new Map<Rule, Run[]>();
  for (const profile of profiles.known) {
    if (profile.kind !== "command") continue;
    for (const text of ["evil", ...TRADE_PROBES, ...LITERAL_PROBES]) {
      const call = callOf(profile, text);
      if (call === undefined) continue;
      const { action, rule } = tried(context, call);
      if (action !== "allow" || rule === null) continue;
      const runs = found.get(rule);
      if (runs === undefined) found.set(rule, [{ text, call }]);
      else runs.push({ text, call });
    }
  }
  return found;
}
