/**
 * The pure part of caliban: patterns, policies and verdicts, without files, processes or clock. It runs in any JavaScript
 * runtime, browsers too, and under Deno without a permission flag.
 *
 * @example
 * ```ts
 * import { evaluate, policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git status:*)"\naction = "allow"\n');
 * const verdict = evaluate(policy, { tool: "Bash", input: { command: "git status" } });
 * console.log(verdict.action, verdict.reason); // "allow the allow rule `Bash(git status:*)` allows it"
 * ```
 *
 * @module
 */
export { type Action, ACTIONS, isAction, strictness } from "./model/action.ts";
export type { Json, JsonObject, ToolCall } from "./model/call.ts";
export type { DecidedBy, Decision, UnitDecision } from "./model/decision.ts";
export type { Match } from "./model/match.ts";
export type { Located, Span } from "./model/place.ts";
export type { FileProblem, Problem, ProblemId } from "./model/problem.ts";
export type { Rule } from "./model/rule.ts";
export type { WrittenCall, WrittenTest } from "./model/written_test.ts";
export type {
  FileSettings,
  FileShape,
  ModeName,
  PolicyFile,
  ShellMode,
  WrittenRule,
} from "./model/settings.ts";
export type { RuleSource, SourceKind } from "./model/source.ts";
export type {
  MergedSources,
  Notice,
  PlacedRule,
  Settings,
  SourceEntry,
} from "./model/source_entry.ts";
export type {
  SearchFields,
  ToolClass,
  ToolKind,
  ToolOverride,
  ToolProfile,
} from "./model/tool_profile.ts";
export type { TraceStep, UnitVerdict, Verdict, VerdictBy } from "./model/verdict.ts";
export {
  type Glob,
  type GlobToken,
  type Parsed,
  parseGlob,
  type PatternError,
  printGlob,
} from "./pattern/glob.ts";
export { matchGlob } from "./pattern/match_glob.ts";
export { parsePattern } from "./pattern/parse_pattern.ts";
export type { FieldTest, Pattern, Specifier, ValueTest } from "./pattern/pattern.ts";
export type { PathBase, PathPattern } from "./pattern/path/path_pattern.ts";
export type { PathGlob, PathNode, Range } from "./pattern/path/path_glob.ts";
export { printPattern } from "./pattern/print_pattern.ts";
export type { CallPath, PathContext, PathForm } from "./pattern/path/path_facts.ts";
export type { PathRules } from "./pattern/path/normal_path.ts";
export type { CallUrl } from "./pattern/url/url_facts.ts";
export type { FieldText, LineEffect, Request } from "./policy/compile/facts.ts";
export type { AllowText, CommandLine, DenyText, Effect } from "./shell/unit.ts";
export type { ToolProfiles } from "./policy/compile/profiles.ts";
export { decodePolicy } from "./policy/decode/decode_policy.ts";
export type { Policy, PolicyParts } from "./policy/compile/policy.ts";
export { PolicyError } from "./policy/decode/policy_error.ts";
export type { CompiledRule, ToolRule } from "./policy/compile/rule_table.ts";
export type { CommandMode } from "./policy/compile/value_matcher.ts";
export { policyFromToml, type PolicyTextOptions } from "./policy/sources/policy_from_toml.ts";
export type { Mode, ModeAnswer, ModeQuestion, NamedMode } from "./decide/modes/mode.ts";
export { modeNamed, MODES } from "./decide/modes/registry.ts";
export {
  createSharedMode,
  type ModeChange,
  type PermissionModeView,
  type SharedModeOptions,
  type SharedPermissionMode,
} from "./decide/modes/shared_mode.ts";
export { type AnswerOptions, decide, type DecideOptions } from "./decide/decide.ts";
export { evaluate } from "./decide/evaluate.ts";
export type { EvaluateOptions } from "./decide/walk.ts";
export type { AutoMode, AutoQuestion, JudgeOptions, OpinionDecision } from "./gate/auto/opinion.ts";
export type { Opinion, OpinionSource } from "./gate/auto/opinion.ts";
export type { AskAnswer, AskHandler, AskKind, AskQuestion, AskScope } from "./model/ask.ts";
export { HOOK_EVENTS, type HookEventName, type WrittenHook } from "./model/hook.ts";
export type { NewRule } from "./policy/edit/rule_text.ts";
export type { Hook } from "./gate/hooks/hook.ts";
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
export type { Matcher } from "./gate/hooks/matcher.ts";
export { createGate } from "./gate/create_gate.ts";
export { CHILD_POLICIES } from "./gate/gate.ts";
export type {
  AfterCallOptions,
  CallOptions,
  ChildGate,
  ChildOptions,
  ChildPolicy,
  Gate,
  GateDecision,
  GateStep,
  GivenPolicy,
  StageName,
} from "./gate/gate.ts";
export type { GateMode, GateModeName } from "./gate/gate_mode.ts";
export type { AddedText, AuditLine, FileScope, GateParts, RuleFiles } from "./gate/gate_parts.ts";
export type { GateTool, InputSchema, ParsedInput } from "./gate/gate_tool.ts";
export type { ToolContext, ToolOpinion } from "./gate/gate_tool.ts";
export type { SessionRule } from "./gate/session_rules.ts";
export { type SuggestedRule, suggestRules } from "./suggest/suggest_rules.ts";
