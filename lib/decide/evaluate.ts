import { strictestOf } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { filePathOf } from "../pattern/url/url_facts.ts";
import type { Request } from "../policy/compile/facts.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { evaluateLine } from "./judge_line.ts";
import { type EvalContext, type UnitResult, unitResult } from "./judged.ts";
import { type EvaluateOptions, firstMatch } from "./walk.ts";

/**
 * What the rules of a policy say about a call: the only way to a verdict. Pure and synchronous, but for the policy's
 * `realPath`; never changes anything.
 *
 * Throws TypeError for a call that is none: a tool without a name, an input that is no object.
 *
 * @example
 * ```ts
 * import { evaluate, policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(git status:*)"\naction = "allow"\n');
 * const verdict = evaluate(policy, { tool: "Bash", input: { command: "git status -s" } });
 * console.log(verdict.action); // "allow"
 * ```
 */
export function evaluate(policy: Policy, call: ToolCall, options: EvaluateOptions = {}): Verdict {
  checkCall(call);
  const request = policy.request(call);
  const line = policy.line(request);
  const judged = line
    ? evaluateLine({ policy, request, line, options })
    : evaluateCall({ policy, request, options });
  const strictest = decisive(judged).verdict;
  return {
    call,
    action: strictest.action,
    by: strictest.by,
    rule: strictest.rule,
    reason: strictest.reason,
    units: judged.map(({ verdict }) => verdict),
    warnings: [...new Set(judged.flatMap((each) => shadowWarnings(policy, each)))],
  };
}

/** The strictest unit, the first among equals; for an allow the first that a rule allowed. */
function decisive(judged: readonly UnitResult[]): UnitResult {
  const strictest = strictestOf(judged, ({ verdict }) => verdict);
  if (strictest.verdict.action !== "allow" || strictest.rule !== null) return strictest;
  return judged.find(({ rule }) => rule !== null) ?? strictest;
}

/** A call that is one unit, or two where fetching a `file:` URL is also reading a file. */
function evaluateCall(about: Omit<EvalContext, "line">): readonly UnitResult[] {
  const { policy, request, options } = about;
  const units = [evaluateUnits(policy, request, { ...options, kind: "call", via: null })];
  const file = fileOf(request);
  if (file !== undefined) {
    const read = policy.request({ ...request.call, tool: "Read", input: { path: file } });
    units.push(evaluateUnits(policy, read, { ...options, kind: "read", via: "file: URL" }));
  }
  return units;
}

function checkCall(call: ToolCall): void {
  if (typeof call.tool !== "string" || call.tool === "") {
    throw new TypeError("Cannot judge a call without a tool name");
  }
  if (typeof call.input !== "object" || call.input === null || Array.isArray(call.input)) {
    throw new TypeError("Cannot judge a call whose input is not an object");
  }
  if (call.cwd !== undefined && typeof call.cwd !== "string") {
    throw new TypeError("Cannot judge a call whose cwd is not a string");
  }
}

type UnitOptions = EvaluateOptions & Pick<UnitVerdict, "kind" | "via">;

function evaluateUnits(policy: Policy, request: Request, options: UnitOptions): UnitResult {
  const { kind, via } = options;
  const text = request.first.state === "text" ? request.first.text : request.call.tool;
  return unitResult(firstMatch(policy, request, options), {
    facts: request,
    unit: { text, kind, via },
  });
}

/** The path of a `file:` URL: fetching it is also reading it. */
function fileOf(request: Request): string | undefined {
  if (request.profile.kind !== "url" || request.first.state !== "text") return undefined;
  return filePathOf(request.url(request.first.text));
}

/**
 * A project's files come with the clone: where their allow decides a call that a rule of the user denies or asks about,
 * the person is told.
 */
function shadowWarnings(
  policy: Policy,
  { request, rule }: { request: Request; rule: Rule | null },
): readonly string[] {
  if (rule?.action !== "allow" || rule.source.kind !== "project" && rule.source.kind !== "local") {
    return [];
  }
  const beaten = policy.candidates(request).find((toolRule) =>
    toolRule.rule.index > rule.index && toolRule.rule.source.kind === "user" &&
    toolRule.rule.action !== "allow" && toolRule.matches(request) !== "no"
  )?.rule;
  if (!beaten) return [];
  return [
    `the ${rule.source.kind} rule \`${rule.pattern}\` (${rule.source.path}:${rule.source.line}) allows what your ` +
    `${beaten.action} rule \`${beaten.pattern}\` (${beaten.source.path}:${beaten.source.line}) would not`,
  ];
}
