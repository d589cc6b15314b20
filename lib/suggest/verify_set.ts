import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { isOffLimits } from "./asked_call.ts";
import { type KeptCall, RememberedCalls } from "./recorded_calls.ts";

/** The effect of rules on recorded calls. */
export interface Verified {
  /** The number of asks that they turn into allows. */
  readonly answered: number;
  /** The number of these that each rule helped with, by pattern; without rules that had no part. */
  readonly byPattern: ReadonlyMap<string, PatternUse>;
  /**
   * Patterns that allow a call that is denied, that a person refused, or that no rule should answer.
   */
  readonly loosening: ReadonlySet<string>;
}

/** The effect of one rule. */
export interface PatternUse {
  /** The number of calls that it helped to answer. */
  readonly answers: number;
  /** The first different calls among them. */
  readonly examples: readonly ToolCall[];
}

/** Options of `SetCheck`. */
export interface VerifyOptions {
  /** The current policy. */
  readonly before: CompiledPolicy;
  /** The policy with the rules. */
  readonly after: CompiledPolicy;
  /** The rules' patterns. */
  readonly patterns: readonly string[];
  /** Decides a call as the first pass does. */
  readonly decide: (policy: CompiledPolicy, call: ToolCall) => Decision;
}

/** The effect of the rules on a call that they newly allow. */
interface Effect {
  readonly kind: "loosens" | "answers";
  readonly patterns: ReadonlySet<string>;
}

/** The most examples of each rule. */
const EXAMPLES = 2;

/** Counts the effect of rules on recorded calls, in constant memory. */
export class SetCheck {
  readonly #options: VerifyOptions;
  readonly #patterns: ReadonlySet<string>;
  readonly #uses = new Map<string, { answers: number; examples: Map<string, ToolCall> }>();
  readonly #loosening = new Set<string>();
  readonly #known = new RememberedCalls<Effect | undefined>();
  #answered = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#patterns = new Set(options.patterns);
  }

  /** Counts one call. */
  add({ call, times, answer }: KeptCall): void {
    const effect = this.#known.of(call, () => this.#effectOf(call));
    if (effect === undefined) return;
    if (effect.kind === "loosens" || answer === "refused") {
      for (const pattern of effect.patterns) this.#loosening.add(pattern);
      return;
    }
    this.#answered += times;
    for (const pattern of effect.patterns) this.#use(pattern, { call, times });
  }

  /** The result so far. */
  get verified(): Verified {
    const byPattern = new Map<string, PatternUse>();
    for (const [pattern, { answers, examples }] of this.#uses) {
      byPattern.set(pattern, { answers, examples: [...examples.values()] });
    }
    return { answered: this.#answered, byPattern, loosening: this.#loosening };
  }

  #effectOf(call: ToolCall): Effect | undefined {
    const { before, after, decide } = this.#options;
    const is = decide(after, call);
    if (is.decision !== "allow") return undefined;
    const patterns = this.#patternsOf(is);
    // The rules did not change a call that none of them helped to decide.
    const was = patterns.size === 0 ? is : decide(before, call);
    if (was.decision === "allow") return undefined;
    return {
      kind: isOffLimits(before, was) ? "loosens" : "answers",
      patterns,
    };
  }

  #patternsOf({ units }: Decision): ReadonlySet<string> {
    return new Set(
      units.flatMap(({ rule }) =>
        rule?.action === "allow" && this.#patterns.has(rule.pattern) ? [rule.pattern] : []
      ),
    );
  }

  #use(pattern: string, { call, times }: { call: ToolCall; times: number }): void {
    const use = this.#uses.get(pattern) ?? { answers: 0, examples: new Map() };
    this.#uses.set(pattern, use);
    use.answers += times;
    if (use.examples.size >= EXAMPLES) return;
    const key = callKey(this.#options.before, call);
    if (!use.examples.has(key)) use.examples.set(key, call);
  }
}

/**
 * The identity of a call for people: the tool and its first argument, a path as the file that it names.
 */
export function callKey(policy: CompiledPolicy, call: ToolCall): string {
  const request = policy.request(call);
  const { first, profile } = request;
  if (first.state !== "text") return JSON.stringify([call.tool, call.input]);
  const path = profile.kind === "path" ? request.path(first.text) : undefined;
  return JSON.stringify([call.tool, path?.ok ? path.forms[0]?.root : first.text]);
}
