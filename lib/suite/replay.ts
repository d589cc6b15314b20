import { decide } from "../decide/decide.ts";
import { evaluateCall } from "../decide/evaluate.ts";
import type { Mode } from "../decide/modes.ts";
import { type Action, ACTIONS, strictness, type ToolCall } from "../model/call.ts";
import type { Decision, UnitDecision } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { exactPattern, narrowPattern } from "../suggest/call_pattern.ts";
import { RememberedCalls } from "../suggest/recorded_calls.ts";
import { isExact, type RecordedCall } from "./replay_calls.ts";
import { ClassCounter, classesOf } from "./class_counter.ts";
import {
  type AskGroup,
  type Bounded,
  type CallCount,
  CallGroups,
  type ChangeGroup,
  type ClassCounts,
  type Counted,
  type ReplayReport,
  type RuleUse,
} from "./replay_report.ts";

/** Options of `Replay`. */
export interface ReplayOptions {
  readonly policy: CompiledPolicy;
  /** Another policy, whose decisions are what was. */
  readonly against?: CompiledPolicy;
  readonly mode: Mode;
  /** The time, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/** The counted parts of a decision. */
interface Outcome {
  readonly verdict: Action;
  readonly decision: Action;
  readonly rule: number | null;
  /** Every rule that decided a part. */
  readonly rules: readonly (number | null)[];
  readonly asks: readonly (string | undefined)[];
  readonly classes: ClassCounts;
  readonly against?: { readonly decision: Action; readonly rule: number | null };
}

interface Use {
  calls: number;
  inexact: number;
}

/** Decides recorded calls again and counts what comes of it, in constant memory however many there are. */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #known = new RememberedCalls<Outcome>();
  readonly #all: Use = noUse();
  readonly #decisions = new Map<Action, Use>(ACTIONS.map((action) => [action, noUse()]));
  readonly #rules = new Map<number | null, Use>();
  readonly #classes = new ClassCounter();
  readonly #asks = new CallGroups<Pick<AskGroup, "pattern">>({ whenFull: "evict" });
  readonly #changes = new CallGroups<Pick<ChangeGroup, "was" | "now">>();
  readonly #since = new CallGroups<Pick<ChangeGroup, "was" | "now">>();
  #hasVerdicts = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** Decides and counts one call. */
  add(recorded: RecordedCall): void {
    const { call } = recorded;
    const { length } = JSON.stringify(call);
    const counted = { call, length, exact: this.#isExact(recorded) };
    const outcome = this.#known.of(call, () => this.#decide(call));
    count(this.#all, counted);
    count(this.#decisions.get(outcome.decision)!, counted);
    for (const rule of outcome.rules) {
      let use = this.#rules.get(rule);
      if (!use) this.#rules.set(rule, use = noUse());
      count(use, counted);
    }
    for (const pattern of outcome.asks) {
      this.#asks.add(`${pattern}`, { counted, about: { pattern } });
    }
    this.#classes.add(outcome.classes);
    this.#compare(recorded, { outcome, counted });
  }

  /** The counts so far. */
  report(): ReplayReport {
    const { policy, against } = this.#options;
    return {
      all: { ...this.#all },
      decisions: Object.fromEntries(this.#decisions) as Record<Action, CallCount>,
      rules: this.#ruleUses(),
      unused: policy.rules.filter(({ index, source }) =>
        source.kind !== "builtin" && !this.#rules.has(index)
      ),
      classes: this.#classes.counts(),
      asks: { groups: this.#asks.sorted(), others: this.#asks.others },
      ...(against === undefined ? {} : { changes: looserFirst(this.#changes) }),
      ...(this.#hasVerdicts ? { since: looserFirst(this.#since) } : {}),
    };
  }

  #isExact(recorded: RecordedCall): boolean {
    const { policy, against } = this.#options;
    return isExact(recorded, policy) && (against === undefined || isExact(recorded, against));
  }

  #compare(
    { verdict }: RecordedCall,
    { outcome, counted }: { readonly outcome: Outcome; readonly counted: Counted },
  ): void {
    const { policy, against } = this.#options;
    const { decision, rule } = outcome;
    if (outcome.against && outcome.against.decision !== decision) {
      const was = outcome.against;
      this.#changes.add(`${was.decision} ${was.rule} ${decision} ${rule}`, {
        counted,
        about: {
          was: { action: was.decision, rule: ruleAt(against!, was.rule) },
          now: { action: decision, rule: ruleAt(policy, rule) },
        },
      });
    }
    if (verdict === undefined) return;
    this.#hasVerdicts = true;
    if (verdict === outcome.verdict) return;
    this.#since.add(`${verdict} ${outcome.verdict} ${rule}`, {
      counted,
      about: {
        was: { action: verdict },
        now: { action: outcome.verdict, rule: ruleAt(policy, rule) },
      },
    });
  }

  #decide(call: ToolCall): Outcome {
    const { policy, against } = this.#options;
    const decision = this.#decisionOf(call, policy);
    const rules = decision.verdict.units.map(({ rule }) => rule?.index ?? null);
    const other = against && this.#decisionOf(call, against);
    return {
      verdict: decision.verdict.action,
      decision: decision.decision,
      rule: decision.verdict.rule?.index ?? null,
      rules: [...new Set(rules)],
      asks: decision.decision === "ask" ? askPatterns(policy, decision) : [],
      classes: classesOf(decision),
      ...(other
        ? { against: { decision: other.decision, rule: other.verdict.rule?.index ?? null } }
        : {}),
    };
  }

  #decisionOf(call: ToolCall, policy: CompiledPolicy): Decision {
    const { mode, now } = this.#options;
    return decide(policy, evaluateCall(policy, call, { now }), { mode });
  }

  #ruleUses(): readonly RuleUse[] {
    const { policy } = this.#options;
    return [...this.#rules].sort(([, a], [, b]) => b.calls - a.calls)
      .map(([rule, use]) => ({ rule: ruleAt(policy, rule), ...use }));
  }
}

function ruleAt({ rules }: CompiledPolicy, index: number | null) {
  return index === null ? null : rules[index] ?? null;
}

function noUse(): Use {
  return { calls: 0, inexact: 0 };
}

function count(use: Use, { exact }: Counted): void {
  use.calls++;
  if (!exact) use.inexact++;
}

function looserFirst(
  changes: CallGroups<Pick<ChangeGroup, "was" | "now">>,
): Bounded<ChangeGroup> {
  const isLooser = ({ was, now }: ChangeGroup) => strictness(now.action) < strictness(was.action);
  const groups = changes.sorted().toSorted((a, b) => Number(isLooser(b)) - Number(isLooser(a)));
  return { groups, others: changes.others };
}

/** A call with more questions than this is counted with its first ones. */
const MOST = 8;

/** A longer pattern stands for what begins like it, in UTF-16 code units. */
const LONGEST = 200;

/**
 * The narrowest general pattern of each part of a call that asks, each once; undefined for a part without one.
 */
function askPatterns(
  policy: CompiledPolicy,
  { verdict: { call }, units }: Pick<Decision, "verdict" | "units">,
): readonly (string | undefined)[] {
  const asking = units.filter(({ decision }) => decision === "ask").slice(0, MOST);
  return [...new Set(asking.map((unit) => cutPattern(patternOf(unit, { policy, call }))))];
}

function patternOf(
  unit: UnitDecision,
  { policy, call }: { readonly policy: CompiledPolicy; readonly call: ToolCall },
): string | undefined {
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  switch (unit.kind) {
    case "call":
      return narrowPattern(policy.request(call));
    case "opaque":
      return undefined;
    case "command":
      return first && narrowPattern(policy.request(partOf(unit, { first, call })));
    case "read":
    case "write":
    case "url":
      return first && exactPattern(policy.request(partOf(unit, { first, call })));
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
