import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { isOffLimits } from "./asked_call.ts";
import type { KeptCall } from "./kept_calls.ts";
import { RememberedCalls } from "./remembered_calls.ts";

/** What rules did to recorded calls. */
export interface Verified {
  /** How many asks are allows with them. */
  readonly answered: number;
  /** How many of these each rule had a part in, by its pattern; those that had none are not there. */
  readonly byPattern: ReadonlyMap<string, PatternUse>;
  /** Patterns that made an allow of what is denied, what a person said no to, or what no rule should answer. */
  readonly loosening: ReadonlySet<string>;
}

/** What one rule did. */
export interface PatternUse {
  /** How many calls it helped to answer. */
  readonly answers: number;
  /** The first of them that differ, one line each. */
  readonly examples: readonly ToolCall[];
}

/** What is compared. */
export interface VerifyOptions {
  /** The policy as it is. */
  readonly before: Policy;
  /** The policy with the rules. */
  readonly after: Policy;
  /** The rules' patterns. */
  readonly patterns: readonly string[];
  /** Decides a call as the first pass did. */
  readonly decide: (policy: Policy, call: ToolCall) => Decision;
}

/** What the rules make of a call that is an allow with them, and was none. */
interface Effect {
  readonly kind: "loosens" | "answers";
  readonly patterns: ReadonlySet<string>;
}

/** Examples kept of each rule. */
const EXAMPLES = 2;

/** Counts what rules do to recorded calls, one after the other, in constant memory. */
export class SetCheck {
  readonly #options: VerifyOptions;
  readonly #patterns: ReadonlySet<string>;
  readonly #uses = new Map<string, { answers: number; examples: Map<string, ToolCall> }>();
  readonly #loosening = new Set<string>();
  readonly #known = new RememberedCalls<Effect | undefined>();
  #answered = 0;

  /** Begins to count. */
  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#patterns = new Set(options.patterns);
  }

  /** Looks at one call. */
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

  /** What was found so far. */
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
    // A call that none of the rules has a part in is what it was.
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

/** What tells calls apart for people: the tool and its first argument, a path as the file that it names. */
export function callKey(policy: Policy, call: ToolCall): string {
  const request = policy.request(call);
  const { first, profile } = request;
  if (first.state !== "text") return JSON.stringify([call.tool, call.input]);
  const path = profile.kind === "path" ? request.path(first.text) : undefined;
  return JSON.stringify([call.tool, path?.ok ? path.forms[0]?.root : first.text]);
}
