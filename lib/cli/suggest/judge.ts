import { differences } from "../../analysis/differences.ts";
import type { Difference } from "../../analysis/analysis.ts";
import { decide } from "../../decide/decide.ts";
import { evaluate } from "../../decide/evaluate.ts";
import { lintScene } from "../../lint/lint_scene.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import type { Mode } from "../../decide/modes/mode.ts";
import { defaultMode } from "../../decide/modes/default.ts";
import type { CompileOptions } from "../../policy/compile/compile_policy.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import { callText } from "../../report/call_text.ts";
import { isOffLimits } from "../../suggest/asked_call.ts";
import type { Fault, Judgement } from "../../suggest/suggest_set.ts";
import type { WritableFile } from "../../suggest/with_added.ts";
import { withPatterns } from "../../suggest/with_patterns.ts";
import { adder } from "../adding_for.ts";

/** What suggestions are judged for. */
export interface JudgeOptions {
  /** The policy as it is. */
  readonly policy: Policy;
  /** The file that they would go to; a source of the policy. */
  readonly file: WritableFile;
  /** What the policy was compiled for. */
  readonly surroundings: CompileOptions;
  /** How calls are decided: alike in the whole run. */
  readonly deciding: Deciding;
  /** Calls that a person said no to. */
  readonly refused: readonly ToolCall[];
}

/** A judgement, and the policy that it is about. */
export interface JudgedSet extends Judgement {
  /** The policy with all patterns. */
  readonly policy: Policy;
}

/** How calls are decided: in one mode, at one time. */
export interface Deciding {
  /** The mode. */
  readonly mode: Mode;
  /** The time, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/** What happens to a call. */
export function decideIn(policy: Policy, call: ToolCall, { mode, now }: Deciding): Decision {
  return decide(policy, evaluate(policy, call, { now }), { mode });
}

/**
 * Looks at allow rules in the policy, where `add` would put them: everything that lint finds about one of them is a fault,
 * and so is allowing what is denied, or asked by a rule or a check that no suggestion should answer.
 */
export function judgePatterns(patterns: readonly string[], options: JudgeOptions): JudgedSet {
  const { policy: before, file, deciding } = options;
  const { now } = deciding;
  const made = withPatterns(before, { patterns, file, add: adder(before.profiles) });
  if (made === undefined) throw new RangeError(`Cannot add to "${file.path}": it is no source`);
  const faults = new Map<string, Fault>();
  for (const pattern of made.left) {
    faults.set(pattern, { id: "takes-effect", why: 'the verb "add" would not write it' });
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

/** Adds what is the first fault of its pattern. */
function addFaults(
  faults: Map<string, Fault>,
  more: Iterable<readonly [pattern: string, fault: Fault]>,
): void {
  for (const [pattern, fault] of more) if (!faults.has(pattern)) faults.set(pattern, fault);
}

/** Patterns that allow what a person said no to. */
function* refusedFaults(
  patterns: readonly string[],
  { refused, deciding, made }: JudgeOptions & { readonly made: Policy },
): Generator<readonly [pattern: string, fault: Fault]> {
  for (const call of refused) {
    const { decision, units } = decideIn(made, call, deciding);
    if (decision !== "allow") continue;
    const why = `it would allow "${callText(call, units)}", to which a person said no`;
    for (const { rule } of units) {
      if (rule?.action === "allow" && patterns.includes(rule.pattern)) {
        yield [rule.pattern, { id: "loosens", why }];
      }
    }
  }
}

/** What lint finds about the patterns: the first of each. */
function lintFaults(
  patterns: readonly string[],
  { file: { path }, surroundings, deciding: { now }, entries }: JudgeOptions & {
    readonly entries: Policy["sources"]["entries"];
  },
): ReadonlyMap<string, Fault> {
  const { findings } = lintScene({ entries, paths: [path], surroundings, now });
  const faults = new Map<string, Fault>();
  for (const { id, message, rule } of findings) {
    if (rule?.action !== "allow" || rule.source.path !== path) continue;
    if (!patterns.includes(rule.pattern) || faults.has(rule.pattern)) continue;
    faults.set(rule.pattern, { id, why: message });
  }
  return faults;
}

/** What is wrong with a call that is allowed by now; undefined when it was an ordinary question. */
function looseningOf(
  { witness, was: { rule } }: Difference,
  { before, now }: { readonly before: Policy; readonly now: number },
): Fault | undefined {
  const was = decideIn(before, witness, { mode: defaultMode, now });
  if (!isOffLimits(before, was)) return undefined;
  const call = callText(witness, was.units);
  const why = rule === null
    ? "about which a safety check asks"
    : `which ${rule.action} ${rule.pattern} is about (${rule.source.path}:${rule.source.line})`;
  return { id: "loosens", why: `it would allow "${call}", ${why}` };
}
