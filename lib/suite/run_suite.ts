import { evaluate } from "../decide/evaluate.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { type CaseOutcome, hasPassed, runCase } from "./run_case.ts";
import { type ExampleOutcome, runExamples } from "./run_examples.ts";
import type { CallReading, TestCase } from "./test_call.ts";

/** What came of all tests of a policy. */
export interface SuiteOutcome {
  /** The tests, in their order. */
  readonly cases: readonly CaseOutcome[];
  /** The examples of the rules, in the order of the rules; empty when they were left out. */
  readonly examples: readonly ExampleOutcome[];
  /** Which rules they reach. */
  readonly coverage: Coverage;
}

/** How a suite is run. */
export interface SuiteOptions {
  /** How examples are read. */
  readonly reading: CallReading;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
  /** Whether the rules' own examples are checked too. */
  readonly examples: "checked" | "left out";
}

/** Runs every test and, where wanted, every example. A rule is reached when it decides a unit of one of their calls. */
export function runSuite(
  policy: Policy,
  tests: readonly TestCase[],
  { reading, now, examples: wanted }: SuiteOptions,
): SuiteOutcome {
  const cases = tests.map((each) => runCase(policy, each, { now }));
  const examples = wanted === "checked" ? runExamples(policy, reading) : [];
  const reached = new Set(cases.flatMap(({ decision }) => rulesIn(decision.verdict)));
  for (const { rule, list, call, fault } of examples) {
    if (list === "not_match" || call === undefined || fault !== undefined) continue;
    if (rulesIn(evaluate(policy, call, { now })).includes(rule)) reached.add(rule);
  }
  return { cases, examples, coverage: coverageOf(policy, reached) };
}

function rulesIn({ units }: Verdict): readonly Rule[] {
  return units.flatMap(({ rule }) => rule === null ? [] : [rule]);
}

/** How many tests and examples there are, and how many failed. */
export function countsOf(
  { cases, examples }: SuiteOutcome,
): { readonly all: number; readonly failed: number } {
  const failedCases = cases.filter((each) => !hasPassed(each)).length;
  const failedExamples = examples.filter(({ fault }) => fault !== undefined).length;
  return { all: cases.length + examples.length, failed: failedCases + failedExamples };
}

/** Which rules tests reach. */
interface Coverage {
  /** The rules that are written in files and on the line, in their order. */
  readonly rules: readonly Rule[];
  /** Those among them that decided no unit of any call. */
  readonly unreached: readonly Rule[];
}

/** The coverage of a policy by tests that these rules decided. Built-in rules are nobody's to test. */
function coverageOf(policy: Policy, deciding: Iterable<Rule>): Coverage {
  const reached = new Set([...deciding].map(({ index }) => index));
  const rules = policy.rules.filter(({ source }) => source.kind !== "builtin");
  return { rules, unreached: rules.filter(({ index }) => !reached.has(index)) };
}
