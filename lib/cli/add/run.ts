import { type LoadedPolicy, openPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Action } from "../../model/call.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { addToText } from "../../policy/edit/add_to_text.ts";
import type { RuleMeaning } from "../../policy/edit/place_rule.ts";
import type { NewRule } from "../../policy/edit/policy_pairs.ts";
import { indented } from "../../report/layout.ts";
import { pathText } from "../../report/place_text.ts";
import { parseInstant } from "../../text/instant.ts";
import { visible } from "../../text/visible.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { nameNotes } from "../output/call_notes.ts";
import { JOINED, patternNotes } from "../../policy/edit/pattern_notes.ts";
import { patternProblem } from "../errors/pattern_problem.ts";
import { type Added, placeNotes } from "../../report/place_notes.ts";
import { riskNotes } from "./risk_notes.ts";
import { openPolicyFor, policyOptions } from "../input/open_policy.ts";
import { scopeFile } from "../write/scope_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { editRefused, writePolicyFile, writeSchemaFile } from "../write/write_file.ts";
import { warn, writeJson } from "../output/print.ts";

/** Adds one rule to one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const rule = newRule(invocation);
  const expiresAt = checkFlags(rule);
  const { pattern, action } = rule;
  const policy = await openPolicyFor(invocation, runtime);
  const { profiles } = policy.policy;
  refuseBad(pattern, { action, profiles });
  const target = scopeFile(runtime, {
    location: policy.location,
    scope: flagValue(invocation, "scope"),
  });
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
  }, { location: policy.location, runtime });
  if (isNew) await writeSchemaFile(target, { platform: policy.location.platform });
  await reportAdded({ ...meaning, target, line }, { policy, invocation, runtime });
  const outcome = line !== undefined ? "stood" : first ? "first" : "placed";
  await addNotes({ ...meaning, target, outcome }, { invocation, runtime });
  return EXIT.ok;
}

/** Checks what the flags say; gives the time the rule ends, in ms since 1970-01-01T00:00Z. */
function checkFlags({ action, reason, expiresAt }: NewRule): number | undefined {
  if (action !== "deny" && reason !== undefined) {
    throw new UsageError(
      `--reason is for deny rules: the model never sees a reason for ${action}`,
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

/** Prints notes on an added rule on stderr: the rules that still shadow it, and the calls that it misses. */
async function addNotes(
  added: Added,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<void> {
  const policy = await openPolicy(runtime, policyOptions(invocation));
  const { profiles } = policy.policy;
  const isHeld = !policy.isTrusted && added.action === "allow" && added.target.scope !== "user";
  const notes = [
    ...nameNotes(added.pattern, profiles),
    ...(isHeld ? ['the rule counts only after "caliban trust"'] : placeNotes(added, policy)),
    ...patternNotes(added, profiles),
  ];
  for (const note of notes) {
    const lines = indented(note, " ".repeat("note: ".length)).join("\n").replaceAll(JOINED, " ");
    await runtime.write("stderr", `note: ${lines.trimStart()}\n`);
  }
  const { pattern, action, target: { path } } = added;
  const risks = await riskNotes({ pattern, action, path }, { invocation, runtime, profiles });
  for (const message of risks) await warn(runtime, { message });
}

/** Prints the result of adding a rule; `line` is that of an identical rule that existed before. */
async function reportAdded(
  { pattern, action, target, line }: Omit<Added, "outcome"> & { readonly line: number | undefined },
  { policy, invocation, runtime }: {
    policy: LoadedPolicy;
    invocation: Invocation;
    runtime: Runtime;
  },
): Promise<void> {
  if (hasFlag(invocation, "json")) {
    const { scope, path } = target;
    const done = line === undefined ? "added" : "nothing";
    return await writeJson(runtime, { done, pattern, action, scope, path, line: line ?? null });
  }
  const name = `${action} ${visible(pattern)}`;
  const where = pathText(target.path, policy.location);
  const sentence = line === undefined
    ? `Added ${name} to ${where}\n`
    : `Nothing to add: ${name} is already in ${where}:${line}\n`;
  await runtime.write("stdout", sentence);
}
