import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { rulesAlone } from "../suggest/policy_with_rules.ts";
import { CHILD_POLICIES, type ChildOptions, type ChildPolicy } from "./gate.ts";

/** The limits of a sub-agent, its parents' included. */
export interface Limits {
  /** Why it may not make a call at all, in one sentence; undefined when it may. */
  bars(call: ToolCall, policy: CompiledPolicy): string | undefined;
  /** Set where only calls that the rules allow run, in any mode. */
  readonly rulesOnly: boolean;
  /** Why its asks are denied, in one sentence; absent when they are not. */
  readonly denies?: string;
  /** Set where who answers is not the parents' person, so that nothing of it is kept. */
  readonly keepsNothing: boolean;
  /** The name of the asking sub-agent, for the person; absent for the agent itself. */
  readonly asks?: string;
}

/** The limits of an agent that is no sub-agent. */
export const NO_LIMITS: Limits = { bars: () => undefined, rulesOnly: false, keepsNothing: false };

/** The limits of a sub-agent: its parent's and its own. Throws TypeError for options that do not fit together. */
export function childLimits(parent: Limits, options: ChildOptions, policy: CompiledPolicy): Limits {
  const { policy: kind = "bubble", name } = options;
  checkOptions({ ...options, policy: kind }, policy);
  const own = kind === "preapproved" ? preapproved(options.allow ?? []) : NO_LIMITS.bars;
  const denies = parent.denies ?? deniesOf(kind);
  const asks = name ?? parent.asks ?? (kind === "bubble" ? "a sub-agent" : undefined);
  return {
    bars: (call, now) => parent.bars(call, now) ?? own(call, now),
    rulesOnly: parent.rulesOnly || kind === "inherit-allowlist",
    ...(denies === undefined ? {} : { denies }),
    keepsNothing: parent.keepsNothing || kind === "prompt",
    ...(asks === undefined ? {} : { asks }),
  };
}

function deniesOf(kind: ChildPolicy): string | undefined {
  switch (kind) {
    case "deny":
      return "nobody is asked for this sub-agent";
    case "inherit-allowlist":
      return "this sub-agent runs only calls that the rules allow";
    case "inherit":
    case "bubble":
    case "preapproved":
    case "prompt":
      return undefined;
  }
}

function checkOptions({ policy: kind, allow, ask }: ChildOptions, policy: CompiledPolicy): void {
  if (!CHILD_POLICIES.some((each) => each === kind)) {
    throw new TypeError(`Cannot make a sub-agent's gate: unknown policy "${kind}"`);
  }
  if ((kind === "preapproved") !== (allow !== undefined)) {
    throw new TypeError(
      'Cannot make a sub-agent\'s gate: "allow" and "preapproved" require each other',
    );
  }
  if ((kind === "prompt") !== (ask !== undefined)) {
    throw new TypeError('Cannot make a sub-agent\'s gate: "ask" and "prompt" require each other');
  }
  for (const pattern of allow ?? []) {
    const { error, warning } = checkPattern(pattern, {
      action: "allow",
      profiles: policy.profiles,
    });
    const detail = error?.detail ?? warning;
    if (detail !== undefined) throw new TypeError(`Cannot use pattern "${pattern}": ${detail}`);
  }
}

/** Only calls that the patterns fit; for a command line, with all of its commands. */
function preapproved(patterns: readonly string[]): Limits["bars"] {
  const rules = patterns.map((pattern) => ({ pattern, action: "allow" } as const));
  const lists = new WeakMap<CompiledPolicy, CompiledPolicy>();
  return (call, policy) => {
    const list = lists.get(policy) ?? rulesAlone(policy, rules);
    if (list === undefined) return "the patterns of this sub-agent cannot be used";
    lists.set(policy, list);
    const { action, units } = evaluate(list, call);
    return action === "allow" && units.some(({ rule }) => rule !== null)
      ? undefined
      : "it is not one of the calls that this sub-agent may make";
  };
}
