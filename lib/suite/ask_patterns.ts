import type { ToolCall } from "../model/call.ts";
import type { Decision, UnitDecision } from "../model/decision.ts";
import type { Policy } from "../policy/policy.ts";
import { exactPattern } from "../suggest/exact_pattern.ts";
import { narrowPattern } from "../suggest/narrow_pattern.ts";

/** A call with more questions than this is counted with its first ones. */
const MOST = 8;

/** A longer pattern stands for what begins like it, in UTF-16 code units. */
const LONGEST = 200;

/**
 * What a call asks about: for each part of it that asks the narrowest pattern that stands for more of its kind, each once.
 * Undefined for a part that no pattern can say.
 */
export function askPatterns(
  policy: Policy,
  { verdict: { call }, units }: Pick<Decision, "verdict" | "units">,
): readonly (string | undefined)[] {
  const asking = units.filter(({ decision }) => decision === "ask").slice(0, MOST);
  return [...new Set(asking.map((unit) => cutPattern(patternOf(unit, { policy, call }))))];
}

function patternOf(
  unit: UnitDecision,
  { policy, call }: { readonly policy: Policy; readonly call: ToolCall },
): string | undefined {
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  switch (unit.kind) {
    case "call":
      return narrowPattern(policy.facts(call));
    case "opaque":
      return undefined;
    case "command":
      return first && narrowPattern(policy.facts(partOf(unit, { first, call })));
    case "read":
    case "write":
    case "url":
      return first && exactPattern(policy.facts(partOf(unit, { first, call })));
  }
}

function partOf(
  { tool, text }: UnitDecision,
  { first, call }: { readonly first: string; readonly call: ToolCall },
): ToolCall {
  return { ...call, tool, input: { [first]: text } };
}

function cutPattern(pattern: string | undefined): string | undefined {
  return pattern === undefined || pattern.length <= LONGEST
    ? pattern
    : `${pattern.slice(0, LONGEST)}…`;
}
