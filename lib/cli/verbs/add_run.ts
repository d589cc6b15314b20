import type { LoadedPolicy } from "../../io/load_policy.ts";
import type { Runtime } from "../../io/runtime.ts";
import type { Action } from "../../model/action.ts";
import { checkPattern } from "../../policy/compile_policy.ts";
import { decodePolicy } from "../../policy/decode_policy.ts";
import { insertRule } from "../../policy/edit_rules.ts";
import { parseInstant } from "../../policy/instant.ts";
import { pathText } from "../../report/place_text.ts";
import { visible } from "../../report/visible.ts";
import { addNotes } from "../add_notes.ts";
import { editRefused } from "../edit_refused.ts";
import { UsageError } from "../errors.ts";
import { PolicyError } from "../../policy/policy_error.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { patternProblem } from "../pattern_problem.ts";
import { placeFor } from "../place_rule.ts";
import { openFor } from "../policy_flags.ts";
import { canonicalPattern } from "../same_pattern.ts";
import { scopeFile } from "../scope.ts";
import type { Invocation } from "../verb.ts";
import { writePolicyFile } from "../write_file.ts";

/** Adds one rule to one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [pattern = "", action] = invocation.operands as [string, Action];
  checkFlags(invocation, action);
  const policy = await openFor(invocation, runtime);
  refuseBad(pattern, { action, policy });
  const target = scopeFile(runtime, { facts: policy.facts, scope: flagValue(invocation, "scope") });
  const where = pathText(target.path, policy.facts);
  let line: number | undefined;
  const outcome = await writePolicyFile(target, (text) => {
    line = standsAt(text, { pattern, action, policy });
    if (line !== undefined) return undefined;
    return inserted(text, { invocation, pattern, action, policy, path: target.path });
  });
  const rule = `${action} ${visible(pattern)}`;
  await runtime.write(
    "stdout",
    outcome === "written"
      ? `Added ${rule} to ${where}\n`
      : `Nothing to add: ${rule} stands in ${where}:${line}\n`,
  );
  await addNotes({ pattern, action, target }, { invocation, runtime });
  return EXIT.ok;
}

function checkFlags(invocation: Invocation, action: Action): void {
  if (action !== "deny" && flagValue(invocation, "reason") !== undefined) {
    throw new UsageError(
      `--reason is for deny rules: an ${action} rule has nothing to tell the model`,
      { hint: "Use --comment for people" },
    );
  }
  const time = flagValue(invocation, "expires-at");
  const instant = time === undefined ? undefined : parseInstant(time);
  if (instant?.ok !== false) return;
  throw new UsageError(`Cannot read --expires-at "${time}": ${instant.detail}`);
}

function refuseBad(
  pattern: string,
  { action, policy }: { action: Action; policy: LoadedPolicy },
): void {
  const checked = checkPattern(pattern, { action, profiles: policy.policy.profiles });
  if (checked.error) throw new PolicyError([patternProblem(pattern, checked.error)]);
  if (checked.warning === undefined) return;
  const problem = patternProblem(pattern, { at: 0, detail: checked.warning });
  const message = `Cannot use pattern "${pattern}": ${checked.warning}`;
  throw new PolicyError([{ ...problem, id: "never-fits", message }]);
}

interface Adding {
  readonly pattern: string;
  readonly action: Action;
  readonly policy: LoadedPolicy;
}

/** The line on which the same rule stands already. */
function standsAt(
  text: string | undefined,
  { pattern, action, policy }: Adding,
): number | undefined {
  if (text === undefined) return undefined;
  const { profiles } = policy.policy;
  const wanted = canonicalPattern(pattern, profiles);
  return decodePolicy(text).rules.find((rule) =>
    rule.action === action && canonicalPattern(rule.pattern.value, profiles) === wanted
  )?.span.line;
}

function inserted(
  text: string | undefined,
  { invocation, pattern, action, policy, path }: Adding & { invocation: Invocation; path: string },
): string {
  const rules = decodePolicy(text ?? "").rules;
  const before = hasFlag(invocation, "first") && rules.length > 0
    ? 0
    : placeFor({ pattern, action }, { rules, profiles: policy.policy.profiles });
  const result = insertRule(text ?? "", newRule(invocation, { pattern, action }), { before });
  if (result.ok) return result.text;
  throw editRefused(result, path);
}

function newRule(invocation: Invocation, { pattern, action }: { pattern: string; action: Action }) {
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
