import { auditLine } from "../audit/audit_record.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { Json, ToolCall } from "../model/call.ts";
import type { Decision, UnitVerdict, Verdict } from "../model/verdict.ts";
import { isJsonObject } from "../text/json_value.ts";
import { abortable } from "./abortable.ts";
import { answersOf } from "./answers.ts";
import { frozenJson } from "./frozen_json.ts";
import type { CallOptions, GateDecision, GateStep } from "./gate.ts";
import type { GateMode, GateModeName, MachineParts } from "./gate_parts.ts";
import type { GateState } from "./gate_state.ts";
import type { Limits } from "./limits.ts";
import { isReadOnly } from "./read_only.ts";
import { type Denial, type Run, runStages } from "./stages/run_stages.ts";
import type { CallState, GateContext } from "./stages/stage.ts";

/** An agent, or a sub-agent of one, and what it shares with the others. */
export interface Agent {
  /** The parts of its gate. */
  readonly parts: MachineParts;
  /** The state that its gates share. */
  readonly state: GateState;
  /** The mode in force. */
  readonly mode: GateMode;
  readonly limits: Limits;
}

/** Implements `ChildGate.decide`. */
export async function decideCall(
  agent: Agent,
  given: ToolCall,
  options: CallOptions,
): Promise<GateDecision> {
  const { signal } = options;
  signal?.throwIfAborted();
  const start = startOf(given);
  const run = await runStages(start, () => sceneOf(agent, { tool: start.call.tool, options }));
  const { context } = run;
  const decision = gateDecision(run);
  // Also what is still asked runs, if the caller's own person allows it.
  const mayRun = decision.decision !== "deny";
  if (mayRun && !isReadOnly(run.passing.evaluation, context.policy)) {
    agent.parts.classifier?.edited();
  }
  const fault = await abortable(signal, () => audited(decision, { agent, context }));
  return fault === undefined ? decision : { ...decision, warnings: [...decision.warnings, fault] };
}

/**
 * The call as it begins: a copy that no other code can change while it is decided. Throws TypeError for one without a tool's
 * name or with a `cwd` that is no text; an input that is no JSON object is the agent's fault, and so a deny.
 */
function startOf({ tool, input, cwd }: ToolCall): CallState {
  if (typeof tool !== "string" || tool === "") {
    throw new TypeError("Cannot decide a call without a tool name");
  }
  if (cwd !== undefined && typeof cwd !== "string") {
    throw new TypeError("Cannot decide a call whose cwd is not a string");
  }
  const copy = copyOf(input);
  const call = Object.freeze({
    tool,
    input: isJsonObject(copy) ? copy : {},
    ...(cwd === undefined ? {} : { cwd }),
  });
  const begin = { call, round: 1, warnings: [] };
  return isJsonObject(copy) ? begin : { ...begin, fault: "the input is not a JSON object" };
}

/** The input as JSON; undefined for any other value, including one whose own code throws when it is read. */
function copyOf(input: unknown): Json | undefined {
  try {
    return frozenJson(input);
  } catch {
    return undefined;
  }
}

function sceneOf(
  { parts, state, mode, limits }: Agent,
  { tool: name, options }: { readonly tool: string; readonly options: CallOptions },
): GateContext {
  const { tools, hooks, classifier, ask, now, session = "" } = parts;
  const tool = tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
  return {
    policy: state.policy,
    policyVersion: state.version,
    now: () => now?.(),
    mode: () => mode.current,
    tool,
    hooks,
    classifier,
    ask,
    answers: answersOf(state, { files: parts.files, tool }),
    limits,
    headless: parts.headless ?? false,
    autoAllow: parts.autoAllow ?? false,
    enforce: state.policy.settings.enforce?.value === true,
    session,
    callId: options.callId,
    signal: options.signal,
  };
}

const NOT_KEPT =
  "The audit log is not written: the policy enables it, but the gate has no log or no clock";

/** Keeps the decision; a warning where that failed, which changes nothing about it. */
async function audited(
  decision: GateDecision,
  { agent: { parts }, context: { policy } }: {
    readonly agent: Agent;
    readonly context: GateContext;
  },
): Promise<string | undefined> {
  const { now, session, agent } = parts;
  const isOn = policy.settings.auditLog?.value === true;
  const audit = parts.audit ?? (isOn ? parts.machineAudit : undefined);
  if (audit === undefined || now === undefined) return isOn ? NOT_KEPT : undefined;
  const { call } = decision;
  try {
    const line = auditLine(decision, call, {
      time: now(),
      cwd: call.cwd ?? policy.cwd,
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
    });
    return await audit.append(line);
  } catch (error) {
    return `The audit log is not written: ${
      error instanceof Error ? error.message : String(error)
    }`;
  }
}

/** The decision that a run ended in. */
function gateDecision({ passing, steps, context, denial }: Run): GateDecision {
  const { policyVersion } = context;
  const { call, round } = passing;
  const decision = denial === undefined ? passing.decision : denied(passing, { denial, context });
  if (decision === undefined) throw new TypeError("The stages of the gate came to no decision");
  const last: GateStep = {
    stage: "decision",
    round,
    result: decision.decision,
    reason: decision.reason,
    decidedBy: decision.decidedBy,
  };
  return {
    ...decision,
    warnings: [...new Set(passing.warnings)],
    call,
    trace: [...steps, last],
    policyVersion,
    ...(denial !== undefined && "cause" in denial ? { cause: denial.cause } : {}),
  };
}

function denied(
  passing: CallState,
  { denial: { by, reason }, context }: {
    readonly denial: Denial;
    readonly context: GateContext;
  },
): Decision {
  const verdict = passing.evaluation?.verdict ?? verdictOn(passing, context);
  return {
    verdict,
    decision: "deny",
    mode: passing.decision?.mode ?? modeNow(context),
    decidedBy: by,
    reason,
    units: verdict.units.map((unit) => ({ ...unit, decision: "deny", decidedBy: by, reason })),
    warnings: passing.warnings,
  };
}

/** The verdict on a call that was denied before the rules were asked. */
function verdictOn({ call, fault }: CallState, { policy, now }: GateContext): Verdict {
  if (fault !== undefined) return notEvaluated(call, fault);
  try {
    const time = now();
    return evaluate(policy, call, time === undefined ? {} : { now: time });
  } catch (error) {
    // It is denied already; the verdict is only for the record.
    return notEvaluated(call, error instanceof Error ? error.message : String(error));
  }
}

function notEvaluated(call: ToolCall, detail: string): Verdict {
  const { tool } = call;
  const unknown = {
    action: "ask",
    by: "safety",
    rule: null,
    reason: `the rules cannot be evaluated: ${detail}`,
  } as const;
  const unit: UnitVerdict = {
    ...unknown,
    text: tool,
    kind: "call",
    via: null,
    depth: 0,
    tool,
    steps: [],
    classes: [],
  };
  return { ...unknown, call, units: [unit], warnings: [] };
}

/** The mode for the record; one that cannot be read changes nothing about a deny. */
function modeNow({ mode }: GateContext): GateModeName {
  try {
    return mode();
  } catch {
    return "default";
  }
}
