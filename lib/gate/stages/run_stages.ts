import { evaluateCall } from "../../decide/evaluate.ts";
import type { ToolCall } from "../../model/call.ts";
import { toolNotes } from "../../policy/compile/tool_notes.ts";
import type { DecidedBy } from "../../model/verdict.ts";
import { isJsonObject, isSameJson } from "../../text/json_value.ts";
import { abortable } from "../abortable.ts";
import { frozenJson } from "../frozen_json.ts";
import type { GateStep } from "../gate.ts";
import type { ParsedInput } from "../gate_parts.ts";
import { applyClassifier } from "./apply_classifier.ts";
import { applyMode } from "./apply_mode.ts";
import { applyTool, checkToolInput } from "./apply_tool.ts";
import { promptPerson } from "./prompt_person.ts";
import { runHooks } from "./run_hooks.ts";
import type { CallState, GateContext, Stage, StageResult } from "./stage.ts";

/** The call's input must be a JSON object, and what the tool's schema takes; it goes on as the schema made it. */
const checkInput: Stage = {
  name: "input",
  concerns: () => true,
  async run(passing, { tool }) {
    const { call, fault } = passing;
    if (fault !== undefined) return { kind: "denied", passing, by: "tool", reason: fault };
    if (tool?.schema === undefined) {
      return { kind: "next", passing, result: "passes", reason: "" };
    }
    const parsed = await tool.schema.safeParse(call.input);
    if (parsed?.success !== true) {
      const reason = `the input is not valid for ${call.tool}${faultsIn(parsed)}`;
      return { kind: "denied", passing, by: "tool", reason };
    }
    const input = frozenJson(parsed.data);
    // A value without a JSON form, such as a date, cannot be read by any rule: rules see the input as it was given.
    if (!isJsonObject(input) || isSameJson(input, call.input)) {
      return { kind: "next", passing, result: "passes", reason: "" };
    }
    const made: ToolCall = Object.freeze({ ...call, input });
    const reason = `the schema of ${call.tool} changed the input`;
    return { kind: "next", passing: { ...passing, call: made }, result: "passes", reason };
  },
};

/** The most faults that a message lists. */
const MOST = 5;

/** The faults that a schema found: zod's issues, each with its path. */
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

/** The end of a call's way through the stages. */
export interface Run {
  /** The call as it came out. */
  readonly passing: CallState;
  /** Every stage that ran, in order. */
  readonly steps: readonly GateStep[];
  /** The context of the last evaluation. */
  readonly context: GateContext;
  /** Set where it is denied as a whole. */
  readonly denial?: Denial;
}

/** A deny of the call as a whole. */
export interface Denial {
  /** The decider. */
  readonly by: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** The error, if one is the cause. */
  readonly cause?: unknown;
}

/** The most evaluations of one call; a tool, a model and a person that answer take four. */
const MOST_PASSES = 12;

/**
 * Leads a call through the stages, with a context that is new at each evaluation by the rules. INVARIANT: nothing is
 * waited for between the last evaluation and the end, and policy and mode are those of the end. A stage that throws makes a
 * deny with its cause. When the signal is aborted it rejects with the signal's reason, and nothing is decided.
 */
export async function runStages(start: CallState, contextNow: () => GateContext): Promise<Run> {
  const steps: GateStep[] = [];
  let passing = start;
  let context = contextNow();
  let passes = 0;
  for (let at = 0; at < STAGES.length || isOutdated(passing, { context, now: contextNow() });) {
    if (at >= STAGES.length) at = RULES;
    if (at === RULES && ++passes > MOST_PASSES) {
      return { passing, steps, context, denial: RESTLESS };
    }
    if (at === RULES) context = contextNow();
    const stage = STAGES[at]!;
    const result = await attempt(stage, passing, context);
    if (result === undefined) {
      at++;
      continue;
    }
    const { round } = passing;
    passing = result.passing;
    steps.push({ stage: stage.name, round, ...resultOf(result), ...version(stage, context) });
    switch (result.kind) {
      case "next":
        at++;
        break;
      case "restart":
        at = 0;
        break;
      case "again":
        at = RULES;
        break;
      case "denied":
      case "failed":
        return { passing, steps, context, denial: denialOf(result) };
    }
  }
  return { passing, steps, context };
}

/** True if another policy or mode came to hold since a call was evaluated that is not denied. */
function isOutdated(
  { decision, mode }: CallState,
  { context, now }: { readonly context: GateContext; readonly now: GateContext },
): boolean {
  if (decision?.decision === "deny") return false;
  if (now.policyVersion !== context.policyVersion) return true;
  try {
    return now.mode() !== mode;
  } catch {
    // Asked once more, the mode's own stage says that it cannot be read.
    return true;
  }
}

const RESTLESS: Denial = {
  by: "safety",
  reason: "the policy or the mode changes faster than the call can be decided",
};

/** The result of a stage, or its error. */
type Attempt = StageResult | {
  readonly kind: "failed";
  readonly passing: CallState;
  readonly reason: string;
  readonly cause: unknown;
};

/** Undefined where the stage has nothing to do with the call. */
async function attempt(
  stage: Stage,
  passing: CallState,
  context: GateContext,
): Promise<Attempt | undefined> {
  const { signal } = context;
  try {
    if (!stage.concerns(passing, context)) return undefined;
    return await abortable(signal, () => stage.run(passing, context));
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = cause instanceof Error ? cause.message : String(cause);
    const reason = `the call cannot be decided: the stage ${stage.name} failed: ${detail}`;
    return { kind: "failed", passing, reason, cause };
  }
}

function resultOf(attempt: Attempt): Pick<GateStep, "result" | "reason"> {
  const { kind, reason } = attempt;
  switch (kind) {
    case "next":
    case "again":
      return { result: attempt.result, reason };
    case "restart":
      return { result: "changed", reason };
    case "denied":
      return { result: "deny", reason };
    case "failed":
      return { result: "failed", reason };
  }
}

function version({ name }: Stage, { policyVersion }: GateContext): Pick<GateStep, "policyVersion"> {
  return name === "rules" ? { policyVersion } : {};
}

function denialOf(attempt: Extract<Attempt, { kind: "denied" | "failed" }>): Denial {
  const { reason } = attempt;
  return attempt.kind === "denied"
    ? { by: attempt.by, reason }
    : { by: "safety", reason, cause: attempt.cause };
}

/** The verdict of the rules; and whether the call is one of those that a sub-agent may make at all. */
const applyRules: Stage = {
  name: "rules",
  concerns: () => true,
  run(passing, { policy, now, limits }) {
    const time = now();
    const evaluation = evaluateCall(
      policy,
      passing.call,
      time === undefined ? {} : { now: time },
    );
    const { verdict } = evaluation;
    const evaluated = {
      ...passing,
      evaluation,
      warnings: [
        ...passing.warnings,
        ...verdict.warnings,
        ...toolNotes(passing.call.tool, policy.profiles),
      ],
    };
    const bar = limits.bars(passing.call, policy);
    if (bar !== undefined) return { kind: "denied", passing: evaluated, by: "rule", reason: bar };
    const { action: result, reason } = verdict;
    return { kind: "next", passing: evaluated, result, reason };
  },
};

/** The stages of the gate. INVARIANT: this order is the order in which a call passes them, and nothing else is. */
export const STAGES: readonly Stage[] = [
  checkInput,
  checkToolInput,
  runHooks,
  applyRules,
  applyTool,
  applyMode,
  applyClassifier,
  promptPerson,
];

/** The place of the rules among the stages. */
const RULES = STAGES.indexOf(applyRules);
