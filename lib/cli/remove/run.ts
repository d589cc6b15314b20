import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { removeRules } from "../../policy/edit/edit_rules.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { ruleJson } from "../../report/decision_json.ts";
import { pathText, placeText } from "../../report/place_text.ts";
import { visible } from "../../text/visible.ts";
import { EXIT } from "../errors/errors.ts";
import { patternProblem } from "../errors/pattern_problem.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import { canonicalText } from "../../pattern/print_pattern.ts";
import { type ScopeFile, scopeFile } from "../write/scope_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { editRefused, writePolicyFile } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

/** Removes every rule with that meaning from one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [pattern = "", action] = invocation.operands;
  const read = parsePattern(pattern);
  if (!read.ok) throw new PolicyError([patternProblem(pattern, read.error)]);
  const policy = await openPolicyFor(invocation, runtime);
  const target = scopeFile(runtime, {
    location: policy.location,
    scope: flagValue(invocation, "scope"),
  });
  const { profiles } = policy.policy;
  const wanted = canonicalText(pattern, profiles);
  const isMeant = (rule: { readonly action: string; readonly text: string }) =>
    (action === undefined || rule.action === action) &&
    canonicalText(rule.text, profiles) === wanted;
  let count = 0;
  await writePolicyFile(target, (text) => {
    if (text === undefined) return undefined;
    const indexes = decodePolicy(text).rules.flatMap((rule, index) =>
      isMeant({ action: rule.action, text: rule.pattern.value }) ? [index] : []
    );
    count = indexes.length;
    return count === 0 ? undefined : removed(text, { indexes, path: target.path });
  }, { location: policy.location, runtime });
  const elsewhere = count > 0
    ? []
    : policy.rules.filter((rule) => isMeant({ action: rule.action, text: rule.pattern }));
  const outcome = { pattern, action, target, count, elsewhere };
  await report(outcome, { policy, invocation, runtime });
  return EXIT.ok;
}

/** The result of a removal. */
interface Outcome {
  readonly pattern: string;
  readonly action: string | undefined;
  readonly target: ScopeFile;
  /** The number of removed rules. */
  readonly count: number;
  /** If none was removed: the equivalent rules of other sources. */
  readonly elsewhere: readonly Rule[];
}

async function report(
  { pattern, action, target, count, elsewhere }: Outcome,
  { policy, invocation, runtime }: {
    policy: LoadedPolicy;
    invocation: Invocation;
    runtime: Runtime;
  },
): Promise<void> {
  if (hasFlag(invocation, "json")) {
    const { scope, path } = target;
    const done = count > 0 ? "removed" : "nothing";
    const standsIn = elsewhere.map(ruleJson);
    const result = { done, pattern, action: action ?? null, scope, path, count, standsIn };
    return await writeJson(runtime, result);
  }
  const where = pathText(target.path, policy.location);
  const name = `${action === undefined ? "" : `${action} `}${visible(pattern)}`;
  const done = count === 0
    ? `Nothing to remove: ${name} is not in ${where}`
    : `Removed ${count} rule${count === 1 ? "" : "s"} from ${where}: ${name}`;
  await runtime.write("stdout", `${done}\n`);
  if (count === 0) await printElsewhere(elsewhere, { policy, runtime });
}

function removed(
  text: string,
  { indexes, path }: { indexes: readonly number[]; path: string },
): string {
  const result = removeRules(text, indexes);
  if (result.ok) return result.text;
  throw editRefused(result, path);
}

async function printElsewhere(
  rules: readonly Rule[],
  { policy, runtime }: { policy: LoadedPolicy; runtime: Runtime },
): Promise<void> {
  if (rules.length === 0) {
    await runtime.write("stdout", 'No other source has it; "caliban perms list" shows all rules\n');
  }
  for (const rule of rules) {
    const { source } = rule;
    const writable = SOURCES.some(({ kind, writable }) =>
      kind === source.kind && writable === "file"
    );
    const place = placeText(source, policy.location);
    const sentence = `Found elsewhere: ${rule.action} ${visible(rule.pattern)} (${place})\n`;
    const there = writable ? `  --scope ${source.kind} removes it there\n` : "";
    await runtime.write("stdout", sentence + there);
  }
}
