import { decide } from "../decide/decide.ts";
import { evaluate, evaluateCall } from "../decide/evaluate.ts";
import { defaultMode, modeNamed } from "../decide/modes.ts";
import type { Rule } from "../model/rule.ts";
import type { Decision, Verdict } from "../model/verdict.ts";
import { canonicalText } from "../pattern/print_pattern.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { nearest } from "../text/did_you_mean.ts";
import { type ExampleOutcome, runExamples } from "./run_examples.ts";
import type { CallReading, TestCase } from "./test_call.ts";

/** The result of all tests of a policy. */
export interface SuiteOutcome {
  /** The tests, in their order. */
  readonly cases: readonly CaseOutcome[];
  /** The examples of the rules, in the order of the rules; empty when they were left out. */
  readonly examples: readonly ExampleOutcome[];
  /** The rules that they cover. */
  readonly coverage: Coverage;
}

/** Options of `runSuite`. */
export interface SuiteOptions {
  /** The surroundings in which examples are read. */
  readonly reading: CallReading;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
  /** `checked` also runs the rules' own examples. */
  readonly examples: "checked" | "left out";
}

/**
 * Runs every test and optionally every example. A rule is covered if it decides a unit of one of their calls.
 */
export function runSuite(
  policy: CompiledPolicy,
  tests: readonly TestCase[],
  { reading, now, examples: wanted }: SuiteOptions,
): SuiteOutcome {
  const cases = tests.map((each) => runCase(policy, each, { now }));
  const examples = wanted === "checked" ? runExamples(policy, reading) : [];
  const covered = new Set(cases.flatMap(({ decision }) => rulesIn(decision.verdict)));
  for (const { rule, list, call, fault } of examples) {
    if (list === "not_match" || call === undefined || fault !== undefined) continue;
    if (rulesIn(evaluate(policy, call, { now })).includes(rule)) covered.add(rule);
  }
  return { cases, examples, coverage: coverageOf(policy, covered) };
}

function rulesIn({ units }: Verdict): readonly Rule[] {
  return units.flatMap(({ rule }) => rule === null ? [] : [rule]);
}

/** The number of tests and examples, and of those that failed. */
export function countsOf(
  { cases, examples }: SuiteOutcome,
): { readonly all: number; readonly failed: number } {
  const failedCases = cases.filter((each) => !hasPassed(each)).length;
  const failedExamples = examples.filter(({ fault }) => fault !== undefined).length;
  return { all: cases.length + examples.length, failed: failedCases + failedExamples };
}

/** The rules that tests cover. */
interface Coverage {
  /** The rules that are written in files and on the line, in their order. */
  readonly rules: readonly Rule[];
  /** The rules that decided no unit of any call. */
  readonly unreached: readonly Rule[];
}

/** The coverage of a policy by tests that these rules decided, without the built-in rules. */
function coverageOf(policy: CompiledPolicy, deciding: Iterable<Rule>): Coverage {
  const covered = new Set([...deciding].map(({ index }) => index));
  const rules = policy.rules.filter(({ source }) => source.kind !== "builtin");
  return { rules, unreached: rules.filter(({ index }) => !covered.has(index)) };
}

/** The result of one test. */
export interface CaseOutcome extends TestCase {
  /** The decision on the call. */
  readonly decision: Decision;
  /** True if the decision is the expected one. */
  readonly fits: boolean;
  /**
   * The fault of the rule that decided, in one sentence without a final full stop; absent if it is the expected one.
   */
  readonly ruleFault?: string;
}

/** True if a test passed. */
export function hasPassed({ fits, ruleFault }: CaseOutcome): boolean {
  return fits && ruleFault === undefined;
}

/**
 * Runs one test: decides the call in the test's mode (`default` if it names none) and checks the rule that decided. Asks
 * neither a person nor a model.
 */
function runCase(
  policy: CompiledPolicy,
  { file, test, call }: TestCase,
  { now }: { readonly now: number },
): CaseOutcome {
  const mode = test.mode === undefined ? defaultMode : modeNamed(test.mode) ?? defaultMode;
  const decision = decide(policy, evaluateCall(policy, call, { now }), { mode });
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
  { policy, decision }: { readonly policy: CompiledPolicy; readonly decision: Decision },
): string | undefined {
  const { rule } = decision.verdict;
  switch (expected) {
    case "none":
      return rule === null ? undefined : "a rule decides it although no rule should";
    case "builtin":
      return rule?.source.kind === "builtin" ? undefined : "no built-in rule decides it";
  }
  const pattern = canonicalText(expected, policy.profiles);
  const isMeant = (each: Rule) =>
    each.pattern === expected || canonicalText(each.pattern, policy.profiles) === pattern;
  if (rule !== null && isMeant(rule)) return undefined;
  if (policy.rules.some(isMeant)) return `the rule "${expected}" does not decide it`;
  const near = nearest(expected, policy.rules.map((each) => each.pattern));
  const guess = near === undefined ? "" : `; did you mean "${near}"?`;
  return `no rule has the pattern "${expected}"${guess}`;
}
