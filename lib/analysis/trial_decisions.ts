import { decideInMode } from "../decide/decide.ts";
import { evaluateCall } from "../decide/evaluate.ts";
import { MODES } from "../decide/modes.ts";
import { type Action, type Json, strictness, type ToolCall } from "../model/call.ts";
import { onlyText } from "../pattern/glob.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";

/** First arguments that no rule with a specifier can be evaluated on: the kinds of value, paths, URLs and lines that are none. */
const MALFORMED: readonly Json[] = [null, 5, "", "~nobody/a", "a\0", "https://[", 'rm "$a"', "(("];

/**
 * A call that a policy decides more leniently than another one in some mode, of those that an exact comparison leaves out: their
 * first argument is missing or malformed, so that rules cannot be evaluated. Undefined if there is none; `times` in ms since
 * 1970-01-01T00:00Z.
 */
export function looserTrial(
  old: CompiledPolicy,
  now: CompiledPolicy,
  times: readonly number[],
): ToolCall | undefined {
  const calls = [...toolsOf([old, now])].flatMap((tool) => malformedCalls(tool, now));
  return calls.find((call) =>
    times.some((time) => {
      const after = decisionsOf(now, call, time);
      return decisionsOf(old, call, time)
        .some((action, at) => strictness(after[at]!) < strictness(action));
    })
  );
}

function toolsOf(policies: readonly CompiledPolicy[]): ReadonlySet<string> {
  return new Set(policies.flatMap(({ profiles, rules }) => [
    ...profiles.known.map(({ name }) => name),
    ...rules.flatMap(({ parsed }) => onlyText(parsed.tool) ?? []),
  ]));
}

function malformedCalls(tool: string, { profiles }: CompiledPolicy): readonly ToolCall[] {
  const name = profiles.get(tool).firstArg?.[0];
  const inputs = name === undefined ? [] : MALFORMED.map((value) => ({ [name]: value }));
  return [{}, ...inputs].map((input) => ({ tool, input }));
}

function decisionsOf(policy: CompiledPolicy, call: ToolCall, now: number): readonly Action[] {
  const evaluation = evaluateCall(policy, call, { now });
  return MODES.map((mode) => decideInMode(policy, evaluation, mode).decision);
}
