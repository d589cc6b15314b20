import type { Policy } from "../policy/compile/policy.ts";
import type { GivenPolicy } from "./gate.ts";
import { overPolicy, type SessionRule, withNewest } from "./session_rules.ts";

/** What changes while a gate is used; a gate shares it with those of its sub-agents. */
export class GateState {
  #base: Policy;
  #policy: Policy;
  #version = 1;
  #rules: readonly SessionRule[] = [];
  readonly #allowed = new Set<string>();

  /** Begins with a policy and without any rule of the session. */
  constructor(policy: GivenPolicy) {
    this.#base = policyIn(policy);
    this.#policy = this.#base;
  }

  /** The policy without the rules of the session. */
  get base(): Policy {
    return this.#base;
  }

  /** The policy that decides calls that begin now. */
  get policy(): Policy {
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
  setPolicy(given: GivenPolicy): void {
    const base = policyIn(given);
    const policy = overPolicy(base, this.#rules);
    if (policy === undefined) {
      throw new RangeError("Cannot take the policy: a rule of the session has no meaning with it");
    }
    this.#base = base;
    this.#policy = policy;
    this.#version++;
  }

  /** Adds rules for calls that begin from now on; false, and nothing is changed, where one cannot be used. */
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

  /** Whether a person allowed the call of that key for the session. */
  remembers(key: string): boolean {
    return this.#allowed.has(key);
  }
}

function policyIn(given: GivenPolicy): Policy {
  return "policy" in given ? given.policy : given;
}
