import { evaluateCall } from "../../decide/evaluate.ts";
import { isAnswer } from "../../decide/precedence.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";

/**
 * True if the rules deny every call of a tool with any arguments: a deny without a specifier decides, and above it stand only
 * other denials and rules that only answer questions.
 */
export function isAlwaysDenied(
  policy: CompiledPolicy,
  tool: string,
  { now }: { readonly now?: number },
): boolean {
  const { verdict, request } = evaluateCall(
    policy,
    { tool, input: {} },
    now === undefined ? {} : { now },
  );
  const { rule } = verdict;
  if (verdict.action !== "deny" || rule === null) return false;
  const rules = policy.toolRules(request.profile.name);
  const own = rules.findIndex((each) => each.rule.index === rule.index);
  return rules[own]?.specifier?.kind === "any" &&
    rules.slice(0, own).every(({ rule: above }) => above.action === "deny" || isAnswer(above));
}
