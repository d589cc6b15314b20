import { compiledOf, type Policy } from "../decide/policy.ts";
import type { Action } from "../model/call.ts";
import type { PlacedRule, SourceEntry } from "../model/rule.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { rankOf, singleRule } from "../policy/sources/source_order.ts";

/** The changing state of a gate, shared with those of its sub-agents. */
export class GateState {
  #base: CompiledPolicy;
  #policy: CompiledPolicy;
  #version = 1;
  #rules: readonly SessionRule[] = [];
  readonly #allowed = new Set<string>();

  /** Begins with a policy and without any rule of the session. */
  constructor(policy: Policy) {
    this.#base = compiledOf(policy);
    this.#policy = this.#base;
  }

  /** The policy without the rules of the session. */
  get base(): CompiledPolicy {
    return this.#base;
  }

  /** The policy that decides now. */
  get policy(): CompiledPolicy {
    return this.#policy;
  }

  /** Which one it is. */
  get version(): number {
    return this.#version;
  }

  /** The rules of the session, newest first. */
  get rules(): readonly SessionRule[] {
    return this.#rules;
  }

  /** Takes another policy. Throws RangeError, and changes nothing, where a rule of the session cannot be used with it. */
  setPolicy(given: Policy): void {
    const base = compiledOf(given);
    const policy = overPolicy(base, this.#rules);
    if (policy === undefined) {
      throw new RangeError("Cannot take the policy: a rule of the session has no meaning with it");
    }
    this.#base = base;
    this.#policy = policy;
    this.#version++;
  }

  /** Adds rules at once; false, and nothing is changed, where one cannot be used. */
  addRules(added: readonly SessionRule[]): boolean {
    const rules = withNewest(this.#rules, added);
    const policy = overPolicy(this.#base, rules);
    if (policy === undefined) return false;
    this.#rules = rules;
    this.#policy = policy;
    this.#version++;
    return true;
  }

  /** Remembers that a person allowed a call, by its key. */
  remember(key: string): void {
    this.#allowed.add(key);
  }

  /** True if a person allowed the call of that key for the session. */
  remembers(key: string): boolean {
    return this.#allowed.has(key);
  }
}

/** A rule that a person's “always” added. */
export interface SessionRule {
  /** As it would stand in permissions.toml. */
  readonly pattern: string;
  /** Its action; an allow only answers questions. */
  readonly action: Exclude<Action, "ask">;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
}

/** The rules, each one time, the new ones first. */
function withNewest(
  rules: readonly SessionRule[],
  added: readonly SessionRule[],
): readonly SessionRule[] {
  const isSame = (one: SessionRule, other: SessionRule) =>
    one.pattern === other.pattern && one.action === other.action;
  return [...added, ...rules.filter((rule) => !added.some((each) => isSame(each, rule)))];
}

/** The fault of a rule's pattern, in one sentence; undefined without one. */
export function patternFault(
  { pattern, action }: Pick<SessionRule, "pattern" | "action">,
  policy: CompiledPolicy,
): string | undefined {
  const { error, warning } = checkPattern(pattern, { action, profiles: policy.profiles });
  return error?.detail ?? warning;
}

/** The policy with the rules in their place; undefined when one of them cannot be used with it. */
export function overPolicy(
  policy: CompiledPolicy,
  rules: readonly SessionRule[],
): CompiledPolicy | undefined {
  if (rules.length === 0) return policy;
  const { sources, settings: { managedOnly } } = policy;
  const counting = managedOnly ? rules.filter(({ action }) => action !== "allow") : rules;
  const placed = counting.map(placedRule);
  const entry: SourceEntry = {
    kind: "session",
    path: "session",
    state: "read",
    rules: placed,
    trusted: true,
  };
  return policy.with({
    ...sources,
    entries: sources.entries.toSpliced(placeAmong(sources.entries), 0, entry),
    rules: sources.rules.toSpliced(
      placeAmong(sources.rules.map(({ source }) => source)),
      0,
      ...placed,
    ),
  });
}

function placedRule(
  { pattern, action, comment, reason }: SessionRule,
  index: number,
): PlacedRule {
  const source = { kind: "session", path: "session", line: index + 1, column: 1 } as const;
  return {
    ...singleRule(pattern, { action, source }),
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The place of the session in a list. */
function placeAmong(list: readonly Pick<SourceEntry, "kind">[]): number {
  const at = list.findIndex(({ kind }) => rankOf(kind) >= rankOf("session"));
  return at < 0 ? list.length : at;
}
