import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { visibleName } from "../pattern/unicode.ts";
import { filePathOf } from "../pattern/url/call_url.ts";
import type { CompiledPolicy, RuleSet } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import type { CommandLine } from "../shell/effect.ts";
import { type LineCommand, lineCommands } from "./classes/line_command.ts";
import { evaluateLine } from "./evaluate_line.ts";
import { evaluateNamed } from "./evaluate_named.ts";
import { namesNothingFurther, NO_KEYS } from "./named_keys.ts";
import { type CallOptions, type EvaluateOptions, firstMatch, NO_MATCH } from "./first_match.ts";
import { strictestOf } from "./precedence.ts";
import { TrialBudget } from "./trials/trial_budget.ts";
import {
  type EvalContext,
  plainUnit,
  type Shown,
  type UnitResult,
  unitResult,
} from "./unit_result.ts";

/** A call with everything that is known about it: it is made once and handed on, so that nothing is parsed again. */
export interface Evaluation {
  /** The call, its tool's profile and its paths and URLs. */
  readonly request: Request;
  /** The command line as rules see it; undefined without one, and with `shell = "literal"`. */
  readonly line: CommandLine | undefined;
  /** The verdict of the rules. */
  readonly verdict: Verdict;
  /** The command of its line that a unit of the verdict is about; undefined for any other unit. */
  readonly commandOf: (unit: UnitVerdict) => LineCommand | undefined;
}

/**
 * The verdict of a policy's rules on a call. Pure and synchronous, but for the policy's `realPath`.
 *
 * Throws TypeError for a malformed call: a tool without a name, an input that is not an object.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git status:*)"\naction = "allow"\n');
 * const verdict = policy.evaluate({ tool: "Bash", input: { command: "git status -s" } });
 * console.log(verdict.action); // "allow"
 * ```
 */
export function evaluate(
  policy: CompiledPolicy,
  call: ToolCall,
  options: EvaluateOptions = NO_OPTIONS,
): Verdict {
  return evaluateCall(policy, call, options).verdict;
}

/** As `evaluate`, with the request and the command line that the verdict is about. */
export function evaluateCall(
  policy: CompiledPolicy,
  call: ToolCall,
  options: CallOptions = NO_OPTIONS,
): Evaluation {
  return evaluateRequest(policy, policy.request(call, options), options);
}

/** Evaluates a request by a set of rules: the only way to a verdict. Throws TypeError for a malformed call. */
export function evaluateRequest(
  rules: RuleSet,
  request: Request,
  options: EvaluateOptions = NO_OPTIONS,
): Evaluation {
  const { call } = request;
  checkCall(call);
  if (!request.tool.hasVisibleName) return evaluateImitation(rules, request, options);
  if (isPlain(request)) return evaluatePlain(rules, request, options);
  const { line } = request;
  const budget = new TrialBudget();
  const context: EvalContext = {
    rules,
    request,
    options: options === NO_OPTIONS ? { budget } : { ...options, budget },
  };
  const own = line ? evaluateLine(line, context) : evaluateWhole(context);
  const first = decisive(own).verdict;
  const named = evaluateNamed(context, first.action === "allow" ? first.rule : null);
  const results = named.length === 0 ? own : [...own, ...named];
  const { action, by, rule, reason } = results === own ? first : decisive(results).verdict;
  const units: UnitVerdict[] = [];
  for (const { verdict } of results) units.push(verdict);
  return {
    request,
    line,
    verdict: { call, action, by, rule, reason, units, warnings: shadowWarnings(rules, results) },
    commandOf: line ? lineCommands(own, request) : noCommand,
  };
}

/** True for a call of a tool of which nothing is known, if its input names no command, file or URL. */
function isPlain({ call, tool, part }: Request): boolean {
  return tool.isUndescribed && part === undefined &&
    namesNothingFurther(call.input, NO_KEYS);
}

/** Evaluates a plain call, whose one unit is the call. */
function evaluatePlain(rules: RuleSet, request: Request, options: EvaluateOptions): Evaluation {
  const { call } = request;
  const isWithout = options.trace !== "full" && rules.candidates(request).length === 0;
  const trace = isWithout
    ? NO_MATCH
    : firstMatch(rules, request, { ...options, budget: new TrialBudget() });
  const unit = plainUnit(trace, request);
  const { action, by, rule, reason } = unit;
  const warnings = rule === null ? [] : shadowWarnings(rules, [{ request, rule }]);
  return {
    request,
    line: undefined,
    verdict: { call, action, by, rule, reason, units: [unit], warnings },
    commandOf: noCommand,
  };
}

const NO_OPTIONS: EvaluateOptions = {};

function noCommand(): undefined {
  return undefined;
}

/**
 * Evaluates a call whose tool has a name with blanks or invisible characters as one of the tool that it imitates: what denies
 * that one denies it, and nothing allows it.
 */
function evaluateImitation(
  rules: RuleSet,
  request: Request,
  options: EvaluateOptions,
): Evaluation {
  const { call } = request;
  const name = visibleName(call.tool);
  const imitated = request.withTool(name === "" ? "?" : name, call.input);
  const { line, verdict } = evaluateRequest(rules, imitated, options);
  const reason = `the tool's name has blanks or invisible characters; without them it is "${name}"`;
  const units = verdict.units.map((unit): UnitVerdict =>
    unit.action === "deny" ? unit : { ...unit, action: "ask", by: "safety", rule: null, reason }
  );
  const { action, by, rule, reason: why } = strictestOf(units, (unit) => unit);
  return {
    request: imitated,
    line,
    commandOf: noCommand,
    verdict: { ...verdict, call, units, action, by, rule, reason: why },
  };
}

/** The strictest unit, the first among equals; for an allow the first that a rule allowed. */
function decisive(results: readonly UnitResult[]): UnitResult {
  if (results.length === 1) return results[0]!;
  const strictest = strictestOf(results, ({ verdict }) => verdict);
  if (strictest.verdict.action !== "allow" || strictest.rule !== null) return strictest;
  return results.find(({ rule }) => rule !== null) ?? strictest;
}

/** Evaluates a call that is one unit, and one more for each file that it reads by a `file:` URL. */
function evaluateWhole(context: EvalContext): readonly UnitResult[] {
  const { request } = context;
  const whole = evaluateUnit(context, { kind: "call", via: null });
  const paths = filePathsIn(request);
  if (paths.length === 0) return [whole];
  const files = paths.map((path) => {
    const read = request.withTool("Read", { path });
    return evaluateUnit({ ...context, request: read }, { kind: "read", via: "file: URL" });
  });
  return [whole, ...files];
}

function evaluateUnit(
  { rules, request, options }: EvalContext,
  { kind, via }: { readonly kind: "call" | "read"; readonly via: string | null },
): UnitResult {
  const { first } = request;
  const text = first.state === "text" ? first.text : request.call.tool;
  const unit: Shown = { kind, text, via, depth: 0, path: undefined };
  return unitResult(firstMatch(rules, request, options), { request, unit });
}

const NO_PATHS: readonly string[] = [];

function filePathsIn(request: Request): readonly string[] {
  if (request.profile.kind !== "url" || request.first.state !== "text") return NO_PATHS;
  const paths = request.urls(request.first.text).map(filePathOf);
  return [...new Set(paths)].filter((path) => path !== undefined);
}

function checkCall(call: ToolCall): void {
  if (typeof call.tool !== "string" || call.tool === "") {
    throw new TypeError("Cannot evaluate a call without a tool name");
  }
  if (typeof call.input !== "object" || call.input === null || Array.isArray(call.input)) {
    throw new TypeError("Cannot evaluate a call whose input is not an object");
  }
  if (call.cwd !== undefined && typeof call.cwd !== "string") {
    throw new TypeError("Cannot evaluate a call whose cwd is not a string");
  }
}

/** For the rules of a policy, which are also those of its views: true if the user denies or asks about anything. */
const objecting = new WeakMap<RuleSet["rules"], boolean>();

function mayShadow({ rules }: RuleSet): boolean {
  let known = objecting.get(rules);
  if (known === undefined) {
    known = rules.some(({ source, action }) => source.kind === "user" && action !== "allow");
    objecting.set(rules, known);
  }
  return known;
}

function shadowWarnings(
  rules: RuleSet,
  results: readonly Pick<UnitResult, "request" | "rule">[],
): readonly string[] {
  const warnings: string[] = [];
  for (const { request, rule } of results) {
    const kind = rule?.source.kind;
    if (rule === null || kind !== "project" && kind !== "local") continue;
    if (rule.action !== "allow" || !mayShadow(rules)) continue;
    const warning = shadowWarning(rules, { request, rule });
    if (warning !== undefined && !warnings.includes(warning)) warnings.push(warning);
  }
  return warnings;
}

/**
 * A project's files come with the clone: if their allow decides a call that a rule of the user denies or asks about, the
 * person is warned.
 */
function shadowWarning(
  rules: RuleSet,
  { request, rule }: { readonly request: Request; readonly rule: Rule },
): string | undefined {
  const { kind } = rule.source;
  const beaten = rules.candidates(request).find((toolRule) =>
    toolRule.rule.index > rule.index && toolRule.rule.source.kind === "user" &&
    toolRule.rule.action !== "allow" && toolRule.matches(request) !== "no"
  )?.rule;
  if (!beaten) return undefined;
  return `the ${kind} rule \`${rule.pattern}\` (${rule.source.path}:${rule.source.line}) allows what your ` +
    `${beaten.action} rule \`${beaten.pattern}\` (${beaten.source.path}:${beaten.source.line}) would not`;
}
