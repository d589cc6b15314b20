import { differences } from "../analysis/differences.ts";
import type { Difference } from "../analysis/analysis.ts";
import { decide } from "../decide/decide.ts";
import { evaluateCall } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { Finding } from "../model/problem.ts";
import type { SourceEntry } from "../model/rule.ts";
import { defaultMode, type Mode } from "../decide/modes.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { callText } from "../text/call_text.ts";
import { isOffLimits } from "./asked_call.ts";
import type { Fault, SetCheckResult } from "./suggest_set.ts";
import type { WritableFile } from "./policy_with_rules.ts";
import { adder, withPatterns } from "./policy_with_texts.ts";

/** The surroundings in which suggestions are checked. */
export interface CheckOptions {
  /** The current policy. */
  readonly policy: CompiledPolicy;
  /** The file that they would be added to; a source of the policy. */
  readonly file: WritableFile;
  /** Lints the file among these sources. */
  readonly lint: (entries: readonly SourceEntry[]) => readonly Finding[];
  /** The mode and time of the whole run. */
  readonly deciding: DecideContext;
  /** Calls that a person refused. */
  readonly refused: readonly ToolCall[];
}

/** The result of a check, and the policy with the patterns. */
export interface CheckedSet extends SetCheckResult {
  /** The policy with all patterns. */
  readonly policy: CompiledPolicy;
}

/** The mode and time in which calls are decided. */
export interface DecideContext {
  readonly mode: Mode;
  /** The time, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/** The decision on a call. */
export function decideIn(
  policy: CompiledPolicy,
  call: ToolCall,
  { mode, now }: DecideContext,
): Decision {
  return decide(policy, evaluateCall(policy, call, { now }), { mode });
}

/**
 * Checks allow rules in the policy, where `add` would put them. A lint finding about a rule is a fault, and so is allowing
 * a call that is denied, or that asks for a reason that no suggestion should answer.
 */
export function checkPatterns(patterns: readonly string[], options: CheckOptions): CheckedSet {
  const { policy: before, file, deciding } = options;
  const { now } = deciding;
  const made = withPatterns(before, { patterns, file, add: adder(before.profiles) });
  if (made === undefined) throw new RangeError(`Cannot add to "${file.path}": it is not a source`);
  const faults = new Map<string, Fault>();
  for (const pattern of made.left) {
    faults.set(pattern, { id: "takes-effect", why: '"caliban perms add" would refuse it' });
  }
  addFaults(faults, lintFaults(patterns, { ...options, entries: made.entries }));
  for (const group of differences(before, made.policy, { now }).groups) {
    const { rule } = group.now;
    if (rule?.action !== "allow" || !patterns.includes(rule.pattern)) continue;
    const fault = looseningOf(group, { before, now });
    if (fault !== undefined) addFaults(faults, [[rule.pattern, fault]]);
  }
  addFaults(faults, refusedFaults(patterns, { ...options, made: made.policy }));
  return {
    policy: made.policy,
    faults,
    allows: (call) => decideIn(made.policy, call, deciding).decision === "allow",
  };
}

/** Adds a fault unless its pattern has one. */
function addFaults(
  faults: Map<string, Fault>,
  more: Iterable<readonly [pattern: string, fault: Fault]>,
): void {
  for (const [pattern, fault] of more) if (!faults.has(pattern)) faults.set(pattern, fault);
}

/** The faults of patterns that allow a call that a person refused. */
function* refusedFaults(
  patterns: readonly string[],
  { refused, deciding, made }: CheckOptions & { readonly made: CompiledPolicy },
): Generator<readonly [pattern: string, fault: Fault]> {
  for (const call of refused) {
    const { decision, units } = decideIn(made, call, deciding);
    if (decision !== "allow") continue;
    const why = `it would allow "${callText(call, units)}", which a person refused`;
    for (const { rule } of units) {
      if (rule?.action === "allow" && patterns.includes(rule.pattern)) {
        yield [rule.pattern, { id: "loosens", why }];
      }
    }
  }
}

/** The first lint finding about each pattern. */
function lintFaults(
  patterns: readonly string[],
  { file: { path }, lint, entries }: CheckOptions & { readonly entries: readonly SourceEntry[] },
): ReadonlyMap<string, Fault> {
  const faults = new Map<string, Fault>();
  for (const { id, message, rule } of lint(entries)) {
    if (rule?.action !== "allow" || rule.source.path !== path) continue;
    if (!patterns.includes(rule.pattern) || faults.has(rule.pattern)) continue;
    faults.set(rule.pattern, { id, why: message });
  }
  return faults;
}

/** The fault of a newly allowed call; undefined if it was an ordinary ask. */
function looseningOf(
  { witness, was: { rule } }: Difference,
  { before, now }: { readonly before: CompiledPolicy; readonly now: number },
): Fault | undefined {
  const was = decideIn(before, witness, { mode: defaultMode, now });
  if (!isOffLimits(before, was)) return undefined;
  const call = callText(witness, was.units);
  const why = rule === null
    ? "about which a safety check asks"
    : `which ${rule.action} ${rule.pattern} is about (${rule.source.path}:${rule.source.line})`;
  return { id: "loosens", why: `it would allow "${call}", ${why}` };
}
