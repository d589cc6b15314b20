import { differences } from "../analysis/differences.ts";
import { evaluate } from "../engine/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Policy } from "../policy/policy.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";

/**
 * Whether two policies say the same: the analysis finds no call that they differ about, and neither does any call that the
 * texts of their rules make, down to what the model is told.
 */
export function sameVerdicts(
  before: Policy,
  after: Policy,
  { now, witnesses }: { readonly now: number; readonly witnesses: readonly ToolCall[] },
): boolean {
  const calls = [before, after].flatMap(({ rules, profiles }) =>
    rules.flatMap(({ pattern }) => sampleCalls(pattern, profiles))
  );
  const agree = [...calls, ...witnesses].every((call) => {
    const was = evaluate(before, call, { now });
    const is = evaluate(after, call, { now });
    return was.action === is.action && was.by === is.by && was.rule?.reason === is.rule?.reason;
  });
  return agree && differences(before, after, { now }).groups.length === 0;
}
