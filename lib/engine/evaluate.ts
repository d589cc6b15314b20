import { strictestOf } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { filePathOf } from "../pattern/url_facts.ts";
import type { Policy } from "../policy/policy.ts";
import type { Facts } from "../tools/facts.ts";
import { reasonFor } from "./reason.ts";
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
  const units = [unitVerdict(policy, facts, { ...options, kind: "call", via: null })];
  const file = fileOf(facts);
  if (file !== undefined) {
    const read = policy.facts({ ...call, tool: "Read", input: { path: file } });
    units.push(unitVerdict(policy, read, { ...options, kind: "read", via: "file: URL" }));
  }
  const strictest = strictestOf(units, (unit) => unit);
  return {
    action: strictest.action,
    by: strictest.by,
    rule: strictest.rule,
    reason: strictest.reason,
    units,
    warnings: shadowWarnings(policy, { facts, rule: strictest.rule }),
  };
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

function unitVerdict(policy: Policy, facts: Facts, options: UnitOptions): UnitVerdict {
  const walked = walk(policy, facts, options);
  const rule: Rule | null = walked.rule;
  return {
    text: facts.first.state === "text" ? facts.first.text : facts.call.tool,
    kind: options.kind,
    via: options.via,
    tool: facts.call.tool,
    action: walked.action,
    by: walked.by,
    rule,
    reason: reasonFor(walked, facts),
    steps: walked.steps,
  };
}

/** The path of a `file:` URL: fetching it is also reading it. */
function fileOf(facts: Facts): string | undefined {
  if (facts.profile.kind !== "url" || facts.first.state !== "text") return undefined;
  return filePathOf(facts.url(facts.first.text));
}
