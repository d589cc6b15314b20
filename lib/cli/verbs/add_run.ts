import type { LoadedPolicy } from "../../io/load_policy.ts";
import type { Runtime } from "../../io/runtime.ts";
import type { Action } from "../../model/action.ts";
import type { FileProblem } from "../../model/problem.ts";
import { checkPattern } from "../../policy/compile_policy.ts";
import { decodePolicy } from "../../policy/decode_policy.ts";
import { insertRule } from "../../policy/edit_rules.ts";
import { pathText } from "../../report/place_text.ts";
import { visible } from "../../report/visible.ts";
import { addNotes } from "../add_notes.ts";
import { UsageError } from "../errors.ts";
import { PolicyError } from "../../policy/policy_error.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { placeFor } from "../place_rule.ts";
import { openFor } from "../policy_flags.ts";
import { canonicalPattern } from "../same_pattern.ts";
import { scopeFile } from "../scope.ts";
import type { Invocation } from "../verb.ts";
import { writePolicyFile } from "../write_file.ts";

/** Adds one rule to one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [pattern = "", action] = invocation.operands as [string, Action];
  if (action !== "deny" && flagValue(invocation, "reason") !== undefined) {
    throw new UsageError(
      `--reason is for deny rules: an ${action} rule has nothing to tell the model`,
      {
        hint: "Use --comment for people",
      },
    );
  }
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

function refuseBad(
  pattern: string,
  { action, policy }: { action: Action; policy: LoadedPolicy },
): void {
  const checked = checkPattern(pattern, { action, profiles: policy.policy.profiles });
  const end = pattern.length;
  const span = (at: number) => ({
    start: Math.min(at, Math.max(0, end - 1)),
    end,
    line: 1,
    column: at + 1,
  });
  const about = { path: "pattern", text: pattern };
  if (checked.error) {
    const { detail, at, hint } = checked.error;
    const message = `Cannot use pattern "${pattern}": ${detail}, at character ${at + 1}`;
    throw new PolicyError([
      {
        id: "invalid-pattern",
        severity: "error",
        message,
        span: span(at),
        ...(hint === undefined ? {} : { hint }),
        ...about,
      },
    ]);
  }
  if (checked.warning === undefined) return;
  throw new PolicyError([
    {
      id: "never-fits",
      severity: "error",
      message: `Cannot use pattern "${pattern}": ${checked.warning}`,
      span: span(0),
      ...about,
    },
  ]);
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
  const problem: FileProblem = { ...result.problem, path, text: result.about };
  throw new PolicyError([problem]);
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
