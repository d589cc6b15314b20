import { evaluate } from "../../decide/evaluate.ts";
import type { ToolCall } from "../../model/call.ts";
import type { DecidedBy } from "../../model/decision.ts";
import { isObject, isSameJson } from "../../text/same_json.ts";
import { abortable } from "../abortable.ts";
import { frozenJson } from "../frozen_json.ts";
import type { GateStep } from "../gate.ts";
import type { ParsedInput } from "../gate_tool.ts";
import { toolContext } from "../tool_context.ts";
import { applyClassifier } from "./ask_classifier.ts";
import { runHooks } from "./ask_hooks.ts";
import { askMode } from "./ask_mode.ts";
import { promptPerson } from "./ask_person.ts";
import type { Passing, Scene, Stage, StageResult } from "./stage.ts";

/** The call's input must be a JSON object, and what the tool's schema takes; it goes on as the schema made it. */
const checkInput: Stage = {
  name: "input",
  concerns: () => true,
  async run(passing, { tool }) {
    const { call, fault } = passing;
    if (fault !== undefined) return { kind: "denied", passing, by: "tool", reason: fault };
    if (tool?.schema === undefined) {
      return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const parsed = await tool.schema.safeParse(call.input);
    if (parsed?.success !== true) {
      const reason = `the input is not what ${call.tool} takes${faultsIn(parsed)}`;
      return { kind: "denied", passing, by: "tool", reason };
    }
    const input = frozenJson(parsed.data);
    // What is no JSON, as a date, no rule could read: then they see the input as it was given.
    if (!isObject(input) || isSameJson(input, call.input)) {
      return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const made: ToolCall = Object.freeze({ ...call, input });
    const reason = `the schema of ${call.tool} made another input of it`;
    return { kind: "goes-on", passing: { ...passing, call: made }, result: "passes", reason };
  },
};

/** How many faults are told. */
const MOST = 5;

/** What a schema found wrong: zod's issues, each with its place. */
function faultsIn(parsed: ParsedInput | undefined): string {
  const error = parsed?.error;
  if (!isRecord(error) || !Array.isArray(error.issues)) return "";
  const faults = error.issues.slice(0, MOST).flatMap((issue: unknown) => {
    if (!isRecord(issue) || typeof issue.message !== "string") return [];
    const path = Array.isArray(issue.path) ? issue.path.map(String).join(".") : "";
    return [path === "" ? issue.message : `${path}: ${issue.message}`];
  });
  return faults.length === 0 ? "" : `: ${faults.join("; ")}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The tool's own opinion. Its deny ends it, in every mode; its allow counts for no more than a hook's. */
const askTool: Stage = {
  name: "tool-permissions",
  concerns: (_passing, { tool }) => tool?.checkPermissions !== undefined,
  async run(passing, scene) {
    const { call } = passing;
    const opinion = await scene.tool?.checkPermissions?.(call.input, toolContext(call, scene));
    const decision = opinion?.decision;
    const reason = opinion?.reason ?? `${call.tool} says ${decision}`;
    switch (decision) {
      case "deny":
        return { kind: "denied", passing, by: "tool", reason };
      case "ask":
      case "allow":
        return {
          kind: "goes-on",
          passing: { ...passing, tool: { decision, reason } },
          result: decision,
          reason,
        };
      case "passthrough":
        return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const unknown = `what ${call.tool} says about the call is not understood`;
    return { kind: "denied", passing, by: "tool", reason: unknown };
  },
};

/** How a call's way through the stages ended. */
export interface Run {
  /** The call as it came out. */
  readonly passing: Passing;
  /** Every stage that ran, in order. */
  readonly steps: readonly GateStep[];
  /** Set where it is denied as a whole. */
  readonly denial?: Denial;
}

/** A deny of the call as a whole. */
export interface Denial {
  /** Who denies it. */
  readonly by: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** What was thrown, where that is why. */
  readonly cause?: unknown;
}

/** How often the mode may change while a model is asked about one call. */
const MOST_MODES = 8;

/**
 * Leads a call through the stages. What a stage throws is a deny with its cause; when the signal is aborted it rejects
 * with the signal's reason, and nothing is decided.
 */
export async function runStages(start: Passing, scene: Scene): Promise<Run> {
  const steps: GateStep[] = [];
  let passing = start;
  let modes = 0;
  for (let at = 0; at < STAGES.length;) {
    const stage = STAGES[at]!;
    const result = await attempt(stage, passing, scene);
    if (result === undefined) {
      at++;
      continue;
    }
    const { round } = passing;
    passing = result.passing;
    steps.push({ stage: stage.name, round, ...told(result), ...version(stage, scene) });
    switch (result.kind) {
      case "goes-on":
        at++;
        break;
      case "begins-anew":
        at = 0;
        break;
      case "asks-mode-again":
        if (++modes > MOST_MODES) return { passing, steps, denial: RESTLESS };
        at = STAGES.findIndex(({ name }) => name === "mode");
        break;
      case "denied":
      case "failed":
        return { passing, steps, denial: denialOf(result) };
    }
  }
  return { passing, steps };
}

const RESTLESS: Denial = {
  by: "mode",
  reason: "the mode changes faster than the call can be decided",
};

/** What a stage made of the call; or that it threw. */
type Attempt = StageResult | {
  readonly kind: "failed";
  readonly passing: Passing;
  readonly reason: string;
  readonly cause: unknown;
};

/** Undefined where the stage has nothing to do with the call. */
async function attempt(
  stage: Stage,
  passing: Passing,
  scene: Scene,
): Promise<Attempt | undefined> {
  const { signal } = scene;
  try {
    if (!stage.concerns(passing, scene)) return undefined;
    return await abortable(signal, () => stage.run(passing, scene));
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = cause instanceof Error ? cause.message : String(cause);
    const reason = `the call cannot be decided: the stage ${stage.name} failed: ${detail}`;
    return { kind: "failed", passing, reason, cause };
  }
}

function told(attempt: Attempt): Pick<GateStep, "result" | "reason"> {
  const { kind, reason } = attempt;
  switch (kind) {
    case "goes-on":
      return { result: attempt.result, reason };
    case "begins-anew":
    case "asks-mode-again":
      return { result: "changed", reason };
    case "denied":
      return { result: "deny", reason };
    case "failed":
      return { result: "failed", reason };
  }
}

function version({ name }: Stage, { policyVersion }: Scene): Pick<GateStep, "policyVersion"> {
  return name === "rules" ? { policyVersion } : {};
}

function denialOf(attempt: Extract<Attempt, { kind: "denied" | "failed" }>): Denial {
  const { reason } = attempt;
  return attempt.kind === "denied"
    ? { by: attempt.by, reason }
    : { by: "safety", reason, cause: attempt.cause };
}

/** What the tool itself finds wrong with an input that its schema takes. */
const askToolInput: Stage = {
  name: "tool-input",
  concerns: (_passing, { tool }) => tool?.validateInput !== undefined,
  async run(passing, scene) {
    const { call } = passing;
    const fault: unknown = await scene.tool?.validateInput?.(call.input, toolContext(call, scene));
    if (fault === undefined) return { kind: "goes-on", passing, result: "passes", reason: "" };
    const reason = typeof fault === "string"
      ? fault
      : `what ${call.tool} says about its input is neither a text nor undefined`;
    return { kind: "denied", passing, by: "tool", reason };
  },
};

/** The verdict of the rules; and whether the call is one of those that a sub-agent may make at all. */
const applyRules: Stage = {
  name: "rules",
  concerns: () => true,
  run(passing, { policy, now, limits }) {
    const time = now();
    const verdict = evaluate(policy, passing.call, time === undefined ? {} : { now: time });
    const told = { ...passing, verdict, warnings: [...passing.warnings, ...verdict.warnings] };
    const bar = limits.bars(passing.call, policy);
    if (bar !== undefined) return { kind: "denied", passing: told, by: "rule", reason: bar };
    const { action: result, reason } = verdict;
    return { kind: "goes-on", passing: told, result, reason };
  },
};

/** The stages of the gate. INVARIANT: this order is the order in which a call passes them, and nothing else is. */
export const STAGES: readonly Stage[] = [
  checkInput,
  askToolInput,
  runHooks,
  applyRules,
  askTool,
  askMode,
  applyClassifier,
  promptPerson,
];
