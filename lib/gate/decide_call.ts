import { auditLine } from "../audit/audit_line.ts";
import { isObject } from "../text/same_json.ts";
import type { Json, ToolCall } from "../model/call.ts";
import { abortable } from "./abortable.ts";
import { answersOf } from "./answers.ts";
import { editsFiles } from "./edits_files.ts";
import { frozenJson } from "./frozen_json.ts";
import type { CallOptions, GateDecision } from "./gate.ts";
import { gateDecision } from "./gate_decision.ts";
import type { GateMode } from "./gate_mode.ts";
import type { GateParts } from "./gate_parts.ts";
import type { GateState } from "./gate_state.ts";
import type { Limits } from "./limits.ts";
import { runStages } from "./stages/run_stages.ts";
import type { Passing, Scene } from "./stages/stage.ts";

/** An agent, or a sub-agent of one, and what it shares with the others. */
export interface Agent {
  /** What its gate is made of. */
  readonly parts: GateParts;
  /** What changes while the gates are used. */
  readonly state: GateState;
  /** The mode in force. */
  readonly mode: GateMode;
  /** What it may not. */
  readonly limits: Limits;
}

/** Decides a call of an agent, as `ChildGate.decide` says. */
export async function decideCall(
  agent: Agent,
  given: ToolCall,
  options: CallOptions,
): Promise<GateDecision> {
  const { signal } = options;
  signal?.throwIfAborted();
  const start = startOf(given);
  const scene = sceneOf(agent, { tool: start.call.tool, options });
  const decision = gateDecision(await runStages(start, scene), scene);
  const { classifier } = agent.parts;
  if (decision.decision === "allow" && editsFiles(decision, scene.policy)) {
    classifier?.edited();
  }
  const fault = await abortable(signal, () => audited(decision, { agent, scene }));
  return fault === undefined ? decision : { ...decision, warnings: [...decision.warnings, fault] };
}

/**
 * The call as it begins: a copy that nobody changes while it is judged. Throws TypeError for one without a tool's name or
 * with a `cwd` that is no text; an input that is no JSON object is the agent's fault, and so a deny.
 */
function startOf({ tool, input, cwd }: ToolCall): Passing {
  if (typeof tool !== "string" || tool === "") {
    throw new TypeError("Cannot decide a call without a tool name");
  }
  if (cwd !== undefined && typeof cwd !== "string") {
    throw new TypeError("Cannot decide a call whose cwd is not a string");
  }
  const copy = copyOf(input);
  const call = Object.freeze({
    tool,
    input: isObject(copy) ? copy : {},
    ...(cwd === undefined ? {} : { cwd }),
  });
  const begin = { call, round: 1, warnings: [] };
  return isObject(copy) ? begin : { ...begin, fault: "the input is no JSON object" };
}

/** The input as JSON; undefined for what is none, an input whose own code throws when it is read included. */
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
): Scene {
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
    session,
    callId: options.callId,
    signal: options.signal,
  };
}

const NOT_KEPT =
  "The audit log is not kept: the policy switches it on, and the gate was given no log or no clock";

/** Keeps the decision; a warning where that failed, which changes nothing about it. */
async function audited(
  decision: GateDecision,
  { agent: { parts }, scene: { policy } }: { readonly agent: Agent; readonly scene: Scene },
): Promise<string | undefined> {
  const { now, session, agent } = parts;
  const isOn = policy.settings.auditLog?.value === true;
  const audit = parts.audit ?? (isOn ? parts.machineAudit : undefined);
  if (audit === undefined || now === undefined) return isOn ? NOT_KEPT : undefined;
  const { call } = decision;
  try {
    const line = auditLine(decision, call, {
      time: now(),
      cwd: policy.request(call).cwd,
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
    });
    return await audit.append(line);
  } catch (error) {
    return `The audit log is not kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}
