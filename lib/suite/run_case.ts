import { decide } from "../decide/decide.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { Decision } from "../model/decision.ts";
import type { Rule } from "../model/rule.ts";
import { defaultMode } from "../decide/modes/default.ts";
import { modeNamed } from "../decide/modes/registry.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { printPattern } from "../pattern/print_pattern.ts";
import { nearest } from "../text/did_you_mean.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { TestCase } from "./test_call.ts";

/** What came of one test. */
export interface CaseOutcome extends TestCase {
  /** What happens to the call. */
  readonly decision: Decision;
  /** Whether the decision is the expected one. */
  readonly fits: boolean;
  /** What is wrong with the rule that decided, in one sentence without a final full stop; absent when it is right. */
  readonly ruleFault?: string;
}

/** Whether a test passed. */
export function hasPassed({ fits, ruleFault }: CaseOutcome): boolean {
  return fits && ruleFault === undefined;
}

/**
 * Runs one test: the call's decision in the test's mode, which is `default` where it names none, and who decided it. Nobody
 * is asked, and no model.
 */
export function runCase(
  policy: Policy,
  { file, test, call }: TestCase,
  { now }: { readonly now: number },
): CaseOutcome {
  const mode = test.mode === undefined ? defaultMode : modeNamed(test.mode) ?? defaultMode;
  const decision = decide(policy, evaluate(policy, call, { now }), { mode });
  const ruleFault = test.rule && faultOfRule(test.rule.value, { policy, decision });
  return {
    file,
    test,
    call,
    decision,
    fits: decision.decision === test.expect.value,
    ...(ruleFault !== undefined && { ruleFault }),
  };
}

function faultOfRule(
  expected: string,
  { policy, decision }: { readonly policy: Policy; readonly decision: Decision },
): string | undefined {
  const { rule } = decision.verdict;
  switch (expected) {
    case "none":
      return rule === null ? undefined : "a rule decides, and none is expected to";
    case "builtin":
      return rule?.source.kind === "builtin" ? undefined : "no built-in rule decides it";
  }
  const pattern = plainPattern(expected);
  const isMeant = (each: Rule) =>
    each.pattern === expected || plainPattern(each.pattern) === pattern;
  if (rule !== null && isMeant(rule)) return undefined;
  if (policy.rules.some(isMeant)) return `the rule "${expected}" does not decide it`;
  const near = nearest(expected, policy.rules.map((each) => each.pattern));
  const guess = near === undefined ? "" : `; did you mean "${near}"?`;
  return `no rule has the pattern "${expected}"${guess}`;
}

/** One text for `Bash(git *)` and `Bash:git *`, which are the same. */
function plainPattern(text: string): string {
  const pattern = parsePattern(text);
  if (!pattern.ok) return text;
  const { specifier } = pattern.value;
  return printPattern(
    specifier?.endsWith(":*") ? pattern.value : { ...pattern.value, form: "colon" },
  );
}
