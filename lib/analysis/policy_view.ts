import { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule, ToolRule } from "../policy/compile/rule_table.ts";
import type { Request } from "../policy/compile/facts.ts";
import type { EntryStore } from "./entry_store.ts";

/** What a view shows. */
export interface ViewOptions {
  /** The policy's rules, compiled. */
  readonly store: EntryStore;
  /** A rule that is taken out. */
  readonly without?: CompiledRule;
}

/**
 * A policy, or what it is without one of its rules, made in no time: the other rules are not compiled again.
 *
 * INVARIANT: `evaluate` says of it what it says of the policy compiled anew without the rule. A law test holds it to that.
 */
export class PolicyView extends Policy {
  readonly #store: EntryStore;
  readonly #without: CompiledRule | undefined;
  readonly #entries = new Map<string, readonly ToolRule[]>();
  readonly #written = new Map<string, readonly ToolRule[]>();

  /** Looks at a policy. */
  constructor(policy: Policy, { store, without }: ViewOptions) {
    super({
      rules: policy.rules,
      merged: policy.sources,
      profiles: policy.profiles,
      context: policy.context,
      cwd: policy.request({ tool: "Read", input: {} }).cwd,
      recompile: () => undefined,
    });
    this.#store = store;
    this.#without = without;
  }

  /** Every rule that speaks of the tool, in order. */
  override toolRules(tool: string): readonly ToolRule[] {
    const all = this.#store.entries(tool);
    return this.#without ? made(this.#entries, tool, () => this.#rest(all)) : all;
  }

  /** Every rule that speaks of the tool and is not built in, in order. */
  override writtenRules(tool: string): readonly ToolRule[] {
    return made(
      this.#written,
      tool,
      () => this.toolRules(tool).filter(({ rule }) => rule.source.kind !== "builtin"),
    );
  }

  /** The rules that may fit the call, in order. */
  override candidates(request: Request): readonly ToolRule[] {
    const found = this.#store.candidates(request);
    const gone = this.#without;
    if (!gone || !found.some(({ rule }) => rule === gone)) return found;
    const guards = gone.action === "allow" ? [] : this.#store.guards(request);
    if (guards.length === 0) return this.#rest(found);
    // The rule may have spoken for others that cannot be evaluated either.
    const all = new Set([...this.#rest(found), ...this.#rest(guards)]);
    return [...all].sort((a, b) => a.rule.index - b.rule.index);
  }

  #rest(entries: readonly ToolRule[]): readonly ToolRule[] {
    return entries.filter(({ rule }) => rule !== this.#without);
  }
}

function made<V>(known: Map<string, V>, key: string, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, value = make());
  return value;
}
