import { evaluateCall } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { abortable } from "./abortable.ts";
import { type Agent, decideCall } from "./decide_call.ts";
import type { AfterCallOptions, ChildGate, ChildOptions, Gate } from "./gate.ts";
import { fixedMode, type GateMode, type MachineParts, readOnlyMode } from "./gate_parts.ts";
import type { Policy } from "../decide/policy.ts";
import { managedMode, startModeOf } from "../decide/modes.ts";
import { GateState } from "./gate_state.ts";
import type { HookOutcome } from "./hooks/hook_outcome.ts";
import { childLimits, NO_LIMITS } from "./limits.ts";
import { isReadOnly } from "./read_only.ts";

/** As `createGate` of `@caliban/perms/core`, with what only a machine with files has. */
export function createGate(parts: MachineParts): Gate {
  const { audit, classifier, now } = parts;
  if (audit !== undefined && now === undefined) {
    throw new TypeError('Cannot keep an audit log without a clock: "now" is missing');
  }
  const state = new GateState(parts.policy);
  const given = parts.mode ?? startModeOf(state.base.settings);
  const mode = managedOr(typeof given === "string" ? fixedMode(given) : given, state);
  let last = mode.current;
  const end = mode.subscribe(() => {
    const left = last;
    last = mode.current;
    if (left === "auto" && last !== "auto") classifier?.clear();
  });
  const agent: Agent = { parts, state, mode: readOnlyMode(mode), limits: NO_LIMITS };
  return Object.freeze(withGetters(agent, {
    ...methodsOf(agent),
    setPolicy: (policy: Policy) => state.setPolicy(policy),
    close: () => end(),
  }));
}

/** The given mode, except where a managed file of the policy sets another one. */
function managedOr(mode: GateMode, state: GateState): GateMode {
  return {
    get current() {
      const { current } = mode;
      return current === "disabled" ? current : managedMode(state.base.settings)?.name ?? current;
    },
    subscribe: (listener) => mode.subscribe(listener),
  };
}

function methodsOf(agent: Agent): Pick<ChildGate, "decide" | "afterCall" | "child"> {
  return {
    decide: (call, options = {}) => decideCall(agent, call, options),
    afterCall: (call, options = {}) => afterCall(agent, call, options),
    child: (options = {}) => childOf(agent, options),
  };
}

type Shown = Pick<ChildGate, "mode" | "policyVersion" | "sessionRules">;

function withGetters<T extends object>({ mode, state }: Agent, methods: T): T & Shown {
  return Object.defineProperties(methods, {
    mode: { get: () => mode, enumerable: true },
    policyVersion: { get: () => state.version, enumerable: true },
    sessionRules: { get: () => state.rules, enumerable: true },
  }) as T & Shown;
}

function childOf(agent: Agent, options: ChildOptions): ChildGate {
  const { parts, state } = agent;
  const limits = childLimits(agent.limits, options, state.policy);
  const own: Agent = {
    ...agent,
    limits,
    parts: {
      ...parts,
      ...(options.name === undefined ? {} : { agent: options.name }),
      // Its own person is asked, and no flag answers in that person's place.
      ...(options.ask === undefined ? {} : { ask: options.ask, autoAllow: false }),
    },
  };
  return Object.freeze(withGetters(own, methodsOf(own)));
}

const NOTHING: HookOutcome = { decision: "proceed", warnings: [], results: [] };

/** Implements `ChildGate.afterCall`. Throws TypeError for a malformed call. */
async function afterCall(
  { parts, state: { policy }, mode }: Agent,
  call: ToolCall,
  { response = null, callId, signal }: AfterCallOptions,
): Promise<HookOutcome> {
  const { classifier, hooks, session = "" } = parts;
  if (classifier !== undefined && !isReadOnly(evaluateCall(policy, call), policy)) {
    classifier.edited();
  }
  if (hooks === undefined) return NOTHING;
  const event = {
    event: "PostToolUse",
    sessionId: session,
    cwd: policy.cwd,
    mode: mode.current,
    call,
    response,
    ...(callId === undefined ? {} : { callId }),
  } as const;
  return await abortable(signal, () => hooks.run(event, signal === undefined ? {} : { signal }));
}
