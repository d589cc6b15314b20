/**
 * The pure part of caliban: policies, verdicts and the gate, without files, processes or clock. It runs in any JavaScript
 * runtime, browsers too, and under Deno without a permission flag.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git status:*)"\naction = "allow"\n');
 * const verdict = policy.evaluate({ tool: "Bash", input: { command: "git status" } });
 * console.log(verdict.action, verdict.reason); // "allow the allow rule `Bash(git status:*)` allows it"
 * ```
 *
 * @module
 */
import "./shell/parse/loaded_parser.ts";
import { type AnswerOptions, decide as decideEvaluation } from "./decide/decide.ts";
import { evaluateCall } from "./decide/evaluate.ts";
import type { EvaluateOptions } from "./decide/first_match.ts";
import { type Mode, modeNamed } from "./decide/modes.ts";
import { compiledOf, openPolicyOf, type Policy } from "./decide/policy.ts";
import { createGate as createMachineGate } from "./gate/create_gate.ts";
import type { Gate } from "./gate/gate.ts";
import type { GateParts } from "./gate/gate_parts.ts";
import type { ModeName, ToolCall } from "./model/call.ts";
import type { Decision } from "./model/verdict.ts";
import {
  policyFromToml as compiledFromToml,
  type PolicyTextOptions,
} from "./policy/sources/policy_from_toml.ts";
import { type SuggestedRule, suggestRules as suggestFor } from "./suggest/suggest_rules.ts";

/**
 * Compiles the text of one permissions.toml, with the built-in rules below it: for tests, browsers and programs that keep
 * policies elsewhere than in files. Throws PolicyError with everything that is wrong in it.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Write:docs/**"\naction = "allow"\n');
 * const call = { tool: "Write", input: { path: "docs/a.md" } };
 * console.log(policy.evaluate(call).action); // "allow"
 * ```
 */
export function policyFromToml(text: string, options: PolicyTextOptions = {}): Policy {
  return openPolicyOf(compiledFromToml(text, options));
}

/** Options of `decide`. */
export interface DecideOptions extends AnswerOptions, EvaluateOptions {
  /** The permission mode; `default` when left out. */
  readonly mode?: ModeName;
}

/**
 * Decides a call: the verdict of the rules, then safety checks, the mode and the flags that answer questions. Without
 * hooks, auto mode and people: those are the gate's. Throws TypeError for a malformed call.
 *
 * @example
 * ```ts
 * import { decide, policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git push:*)"\naction = "ask"\n');
 * const call = { tool: "Bash", input: { command: "git push" } };
 * console.log(decide(policy, call, { mode: "plan" }).decision); // "deny"
 * ```
 */
export function decide(policy: Policy, call: ToolCall, options: DecideOptions = {}): Decision {
  const { mode = "default", ...rest } = options;
  const compiled = compiledOf(policy);
  return decideEvaluation(compiled, evaluateCall(compiled, call, rest), {
    ...rest,
    mode: knownMode(mode),
  });
}

function knownMode(name: string): Mode {
  const mode = modeNamed(name);
  if (!mode) throw new RangeError(`Unknown mode "${name}"`);
  return mode;
}

/**
 * Suggests the narrowest allow rules that would answer what the rules ask about a call, one for each unit that asks; empty
 * for a call that a safety check or a managed rule asks about. Throws TypeError for a malformed call.
 *
 * @example
 * ```ts
 * import { policyFromToml, suggestRules } from "@caliban/perms/core";
 * const call = { tool: "Bash", input: { command: "git push origin main" } };
 * console.log(suggestRules(policyFromToml(""), call).map(({ pattern }) => pattern)); // ["Bash(git push:*)"]
 * ```
 */
export function suggestRules(policy: Policy, call: ToolCall): readonly SuggestedRule[] {
  const compiled = compiledOf(policy);
  return suggestFor(compiled, evaluateCall(compiled, call));
}

/**
 * Creates the gate that every tool call of an agent goes through, stage by stage; each stage that ran is a step of the
 * decision's trace. Throws TypeError for parts that do not fit together.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git push:*)"\naction = "ask"\n');
 * const gate = createGate({ policy, headless: true });
 * const { decision, reason } = await gate.decide({ tool: "Bash", input: { command: "git push" } });
 * console.log(decision, reason); // "deny nobody can be asked (headless); …"
 * ```
 */
export function createGate(parts: GateParts): Gate {
  return createMachineGate(parts);
}

export type { EvaluateOptions, Gate, GateParts, Policy, PolicyTextOptions, SuggestedRule };
export type { Decision, ModeName, ToolCall };
export type { AnswerOptions } from "./decide/decide.ts";
export type { Mode, ModeAnswer, ModeQuestion, NamedMode } from "./decide/modes.ts";
export { modeNamed, MODES } from "./decide/modes.ts";
export {
  createSharedMode,
  type ModeChange,
  type PermissionModeView,
  type SharedModeOptions,
  type SharedPermissionMode,
} from "./decide/shared_mode.ts";
export type {
  AutoMode,
  AutoQuestion,
  ClassifyOptions,
  Opinion,
  OpinionDecision,
  OpinionSource,
} from "./gate/auto/opinion.ts";
export type {
  AskAnswer,
  AskHandler,
  AskKind,
  AskQuestion,
  AskScope,
  CallFile,
  CallPlaces,
} from "./model/verdict.ts";
export type {
  AfterCallOptions,
  CallOptions,
  ChildGate,
  ChildOptions,
  ChildPolicy,
  GateDecision,
  GateStep,
  StageName,
} from "./gate/gate.ts";
export { CHILD_POLICIES } from "./gate/gate.ts";
export type { GateMode, GateModeName } from "./gate/gate_parts.ts";
export type { AuditLine } from "./gate/gate_parts.ts";
export type {
  GateTool,
  InputSchema,
  ParsedInput,
  ToolContext,
  ToolOpinion,
} from "./gate/gate_parts.ts";
export type { Hook, Matcher } from "./gate/hooks/hook.ts";
export type {
  HookEvent,
  HookScene,
  PostCompact,
  PostToolUse,
  PreCompact,
  PreToolUse,
  SessionStart,
  Stop,
} from "./gate/hooks/hook_event.ts";
export type {
  HookAnswer,
  HookDecision,
  HookOptions,
  HookOutcome,
  HookResult,
  HookRunner,
} from "./gate/hooks/hook_outcome.ts";
export type { HookEnd, HookOutput, HookRun } from "./gate/hooks/hook_run.ts";
export type { SessionRule } from "./gate/gate_state.ts";
export { type Action, ACTIONS } from "./model/call.ts";
export type { Json, JsonObject } from "./model/call.ts";
export type { DecidedBy, UnitDecision } from "./model/verdict.ts";
export type { Match } from "./model/verdict.ts";
export type { FileProblem, Problem, ProblemId } from "./model/problem.ts";
export type { Rule, RuleSource } from "./model/rule.ts";
export type { OwnCommand, Settings } from "./model/rule.ts";
export type { Span } from "./model/problem.ts";
export type { TraceStep, UnitVerdict, Verdict, VerdictBy } from "./model/verdict.ts";
export { PolicyError } from "./policy/decode/policy_error.ts";
export {
  COMMAND_CLASSES,
  type CommandClass,
  HOOK_EVENTS,
  type HookEventName,
  MODE_NAMES,
  SHELL_MODES,
  type ShellMode,
  SOURCE_KINDS,
  type SourceKind,
  TOOL_CLASSES,
  type ToolClass,
} from "./model/call.ts";
