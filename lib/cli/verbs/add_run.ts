import type { Runtime } from "../../io/runtime.ts";
import type { Action } from "../../model/action.ts";
import { checkPattern } from "../../policy/compile_policy.ts";
import { parseInstant } from "../../policy/instant.ts";
import type { NewRule } from "../../policy/rule_text.ts";
import { addNotes } from "../add_notes.ts";
import { addToText } from "../add_to_text.ts";
import { editRefused } from "../edit_refused.ts";
import { UsageError } from "../errors.ts";
import { PolicyError } from "../../policy/policy_error.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { patternProblem } from "../pattern_problem.ts";
import { openFor } from "../policy_flags.ts";
import { reportAdded } from "../report_added.ts";
import type { RuleMeaning } from "../same_pattern.ts";
import { scopeFile } from "../scope.ts";
import type { Invocation } from "../verb.ts";
import { writePolicyFile } from "../write_file.ts";
import { writeSchema } from "../write_schema.ts";

/** Adds one rule to one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const rule = newRule(invocation);
  const expiresAt = checkFlags(rule);
  const { pattern, action } = rule;
  const policy = await openFor(invocation, runtime);
  const { profiles } = policy.policy;
  refuseBad(pattern, { action, profiles });
  const target = scopeFile(runtime, { facts: policy.facts, scope: flagValue(invocation, "scope") });
  const meaning: RuleMeaning = { pattern, action, expiresAt };
  const first = hasFlag(invocation, "first");
  let line: number | undefined;
  let isNew = false;
  await writePolicyFile(target, (whole) => {
    isNew = whole === undefined;
    const text = whole ?? "";
    const result = addToText(text, { rule, until: expiresAt, first, profiles });
    line = result.kind === "stands" ? result.line : undefined;
    if (result.kind === "refused") throw editRefused(result.why, target.path);
    return result.kind === "added" ? result.text : undefined;
  });
  if (isNew) await writeSchema(target, { platform: policy.facts.platform });
  await reportAdded({ ...meaning, target, line }, { policy, invocation, runtime });
  const outcome = line !== undefined ? "stood" : first ? "first" : "placed";
  await addNotes({ ...meaning, target, outcome }, { invocation, runtime });
  return EXIT.ok;
}

/** Checks what the flags say; gives the time the rule ends, in ms since 1970-01-01T00:00Z. */
function checkFlags({ action, reason, expiresAt }: NewRule): number | undefined {
  if (action !== "deny" && reason !== undefined) {
    throw new UsageError(
      `--reason is for deny rules: an ${action} rule has nothing to tell the model`,
      { hint: "Use --comment for people" },
    );
  }
  if (expiresAt === undefined) return undefined;
  const instant = parseInstant(expiresAt);
  if (instant.ok) return instant.value;
  throw new UsageError(`Cannot read --expires-at "${expiresAt}": ${instant.detail}`);
}

function refuseBad(pattern: string, options: Parameters<typeof checkPattern>[1]): void {
  const checked = checkPattern(pattern, options);
  if (checked.error) throw new PolicyError([patternProblem(pattern, checked.error)]);
  if (checked.warning === undefined) return;
  const problem = patternProblem(pattern, { at: 0, detail: checked.warning });
  const message = `Cannot use pattern "${pattern}": ${checked.warning}`;
  throw new PolicyError([{ ...problem, id: "never-fits", message }]);
}

function newRule(invocation: Invocation): NewRule {
  const [pattern = "", action] = invocation.operands as [string, Action];
  const [comment, reason, expiresAt] = ["comment", "reason", "expires-at"].map((name) =>
    flagValue(invocation, name)
  );
  return {
    pattern,
    action,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
