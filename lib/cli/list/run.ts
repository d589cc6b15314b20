import { printedJson } from "../../text/printed_json.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import { ruleJson } from "../../report/decision_json.ts";
import { type ListedRule, ruleListText } from "../../report/rule_list.ts";
import { colorFor, windowColumns } from "../output/choose_color.ts";
import { EXIT } from "../errors/errors.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const policy = await openPolicyFor(invocation, runtime);
  const kind = flagValue(invocation, "source");
  const rules = policy.rules.filter((rule) => kind === undefined || rule.source.kind === kind);
  if (hasFlag(invocation, "json")) {
    await runtime.write("stdout", printedJson(rules.map(ruleJson), { indent: 2 }) + "\n");
    return EXIT.ok;
  }
  const color = colorFor(invocation, runtime);
  const listed = await withUntrusted(
    policy,
    (rule) => kind === undefined || rule.source.kind === kind,
  );
  if (listed.length === 0) await runtime.write("stderr", "No rules\n");
  await runtime.write(
    "stdout",
    ruleListText(listed, {
      color,
      folders: policy.location,
      columns: windowColumns(runtime),
    }),
  );
  return EXIT.ok;
}

/** The wanted rules, and between them those that count only once the workspace is trusted. */
async function withUntrusted(
  { policy, rules, isTrusted }: LoadedPolicy,
  isWanted: (rule: Rule) => boolean,
): Promise<readonly ListedRule[]> {
  const own = rules.map((rule): ListedRule => ({ rule }));
  if (isTrusted) return own.filter(({ rule }) => isWanted(rule));
  const { trustedPolicy } = await import("../../suggest/awaiting_trust.ts");
  const all = trustedPolicy(policy)?.rules ?? rules;
  const byPlace = new Map(rules.map((rule) => [placeKey(rule), rule]));
  return all.filter(isWanted).map((rule) => {
    const counted = byPlace.get(placeKey(rule));
    return counted === undefined ? { rule, mark: "not trusted" } : { rule: counted };
  });
}

function placeKey({ source: { kind, path, line, column }, pattern, action }: Rule): string {
  return JSON.stringify([kind, path, line, column, pattern, action]);
}
