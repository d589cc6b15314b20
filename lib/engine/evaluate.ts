import { strictestOf } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { filePathOf } from "../pattern/url_facts.ts";
import type { Policy } from "../policy/policy.ts";
import type { Facts } from "../tools/facts.ts";
import { type Judged, judged, type Judging } from "./judged.ts";
import { judgeLine } from "./judge_line.ts";
import { shadowWarnings } from "./shadow_warnings.ts";
import { walk, type WalkOptions } from "./walk.ts";

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
export function evaluate(policy: Policy, call: ToolCall, options: WalkOptions = {}): Verdict {
  checkCall(call);
  const facts = policy.facts(call);
  const line = policy.line(facts);
  const judged = line
    ? judgeLine({ policy, facts, line, options })
    : judgeCall({ policy, facts, options });
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
function decisive(judged: readonly Judged[]): Judged {
  const strictest = strictestOf(judged, ({ verdict }) => verdict);
  if (strictest.verdict.action !== "allow" || strictest.rule !== null) return strictest;
  return judged.find(({ rule }) => rule !== null) ?? strictest;
}

/** A call that is one unit, or two where fetching a `file:` URL is also reading a file. */
function judgeCall(about: Omit<Judging, "line">): readonly Judged[] {
  const { policy, facts, options } = about;
  const units = [judge(policy, facts, { ...options, kind: "call", via: null })];
  const file = fileOf(facts);
  if (file !== undefined) {
    const read = policy.facts({ ...facts.call, tool: "Read", input: { path: file } });
    units.push(judge(policy, read, { ...options, kind: "read", via: "file: URL" }));
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

type UnitOptions = WalkOptions & Pick<UnitVerdict, "kind" | "via">;

function judge(policy: Policy, facts: Facts, options: UnitOptions): Judged {
  const { kind, via } = options;
  const text = facts.first.state === "text" ? facts.first.text : facts.call.tool;
  return judged(walk(policy, facts, options), { facts, unit: { text, kind, via } });
}

/** The path of a `file:` URL: fetching it is also reading it. */
function fileOf(facts: Facts): string | undefined {
  if (facts.profile.kind !== "url" || facts.first.state !== "text") return undefined;
  return filePathOf(facts.url(facts.first.text));
}
