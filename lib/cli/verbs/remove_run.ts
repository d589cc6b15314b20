import type { LoadedPolicy } from "../../io/load_policy.ts";
import type { Runtime } from "../../io/runtime.ts";
import { decodePolicy } from "../../policy/decode_policy.ts";
import { removeRules } from "../../policy/edit_rules.ts";
import { PolicyError } from "../../policy/policy_error.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { pathText, placeText } from "../../report/place_text.ts";
import { visible } from "../../report/visible.ts";
import { editRefused } from "../edit_refused.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue } from "../invocation.ts";
import { patternProblem } from "../pattern_problem.ts";
import { openFor } from "../policy_flags.ts";
import { SOURCES } from "../../sources/registry.ts";
import { canonicalPattern } from "../same_pattern.ts";
import { scopeFile } from "../scope.ts";
import type { Invocation } from "../verb.ts";
import { writePolicyFile } from "../write_file.ts";

/** Removes every rule with that meaning from one file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [pattern = "", action] = invocation.operands;
  const read = parsePattern(pattern);
  if (!read.ok) throw new PolicyError([patternProblem(pattern, read.error)]);
  const policy = await openFor(invocation, runtime);
  const target = scopeFile(runtime, { facts: policy.facts, scope: flagValue(invocation, "scope") });
  const { profiles } = policy.policy;
  const wanted = canonicalPattern(pattern, profiles);
  const isMeant = (rule: { readonly action: string; readonly text: string }) =>
    (action === undefined || rule.action === action) &&
    canonicalPattern(rule.text, profiles) === wanted;
  let count = 0;
  await writePolicyFile(target, (text) => {
    if (text === undefined) return undefined;
    const indexes = decodePolicy(text).rules.flatMap((rule, index) =>
      isMeant({ action: rule.action, text: rule.pattern.value }) ? [index] : []
    );
    count = indexes.length;
    return count === 0 ? undefined : removed(text, { indexes, path: target.path });
  });
  const where = pathText(target.path, policy.facts);
  const name = `${action === undefined ? "" : `${action} `}${visible(pattern)}`;
  const done = count === 0
    ? `Nothing to remove: ${name} is not in ${where}`
    : `Removed ${count} rule${count === 1 ? "" : "s"} from ${where}: ${name}`;
  await runtime.write("stdout", `${done}\n`);
  if (count === 0) await sayWhere(policy, { isMeant, runtime });
  return EXIT.ok;
}

function removed(
  text: string,
  { indexes, path }: { indexes: readonly number[]; path: string },
): string {
  const result = removeRules(text, indexes);
  if (result.ok) return result.text;
  throw editRefused(result, path);
}

async function sayWhere(
  policy: LoadedPolicy,
  { isMeant, runtime }: {
    isMeant: (rule: { action: string; text: string }) => boolean;
    runtime: Runtime;
  },
): Promise<void> {
  for (const rule of policy.rules) {
    if (!isMeant({ action: rule.action, text: rule.pattern })) continue;
    const { source } = rule;
    const writable = SOURCES.some(({ kind, writable }) =>
      kind === source.kind && writable === "file"
    );
    const place = placeText(source, policy.facts);
    const said = `It stands in: ${rule.action} ${visible(rule.pattern)} (${place})\n`;
    const there = writable ? `  --scope ${source.kind} removes it there\n` : "";
    await runtime.write("stdout", said + there);
  }
}
