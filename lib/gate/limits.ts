import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { rulesAlone } from "../suggest/rules_alone.ts";
import { CHILD_POLICIES, type ChildOptions, type ChildPolicy } from "./gate.ts";

/** What a sub-agent may not, besides what its parents may not. */
export interface Limits {
  /** Why it may not make a call at all, in one sentence; undefined when it may. */
  bars(call: ToolCall, policy: Policy): string | undefined;
  /** Set where only what the rules allow runs, whatever the mode. */
  readonly rulesOnly: boolean;
  /** Why its asks are denied, in one sentence; absent when they are not. */
  readonly denies?: string;
  /** Set where who answers is not the parents' person, so that nothing of it is kept. */
  readonly keepsNothing: boolean;
  /** Who asks, for the person; absent for the agent itself. */
  readonly asks?: string;
}

/** The limits of an agent that is no sub-agent. */
export const NO_LIMITS: Limits = { bars: () => undefined, rulesOnly: false, keepsNothing: false };

/** The limits of a sub-agent: its parent's and its own. Throws TypeError for options that do not fit together. */
export function childLimits(parent: Limits, options: ChildOptions, policy: Policy): Limits {
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
      return "only what the rules allow runs in this sub-agent";
    case "inherit":
    case "bubble":
    case "preapproved":
    case "prompt":
      return undefined;
  }
}

function checkOptions({ policy: kind, allow, ask }: ChildOptions, policy: Policy): void {
  if (!CHILD_POLICIES.some((each) => each === kind)) {
    throw new TypeError(`Cannot make a sub-agent's gate: there is no "${kind}"`);
  }
  if ((kind === "preapproved") !== (allow !== undefined)) {
    throw new TypeError('Cannot make a sub-agent\'s gate: "allow" and "preapproved" go together');
  }
  if ((kind === "prompt") !== (ask !== undefined)) {
    throw new TypeError('Cannot make a sub-agent\'s gate: "ask" and "prompt" go together');
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

/** Only calls that the patterns cover, all of whose commands, for a command line. */
function preapproved(patterns: readonly string[]): Limits["bars"] {
  const rules = patterns.map((pattern) => ({ pattern, action: "allow" } as const));
  const lists = new WeakMap<Policy, Policy>();
  return (call, policy) => {
    const list = lists.get(policy) ?? rulesAlone(policy, rules);
    if (list === undefined) return "the patterns of this sub-agent cannot be used";
    lists.set(policy, list);
    const { action, units } = evaluate(list, call);
    return action === "allow" && units.some(({ rule }) => rule !== null)
      ? undefined
      : "it is none of the calls that this sub-agent may make";
  };
}
