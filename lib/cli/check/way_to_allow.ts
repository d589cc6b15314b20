import type { Evaluation } from "../../decide/evaluate.ts";
import type { Mode } from "../../decide/modes.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { addToRules, isKnownByRules } from "../../policy/edit/add_to_rules.ts";
import { addCommand, nextSuggestedRule } from "../../suggest/find_suggested_rule.ts";
import type { Adding } from "../../suggest/policy_with_added.ts";
import { addingFor } from "../write/scope_file.ts";

/** The call that asks, and its surroundings. */
interface Asked {
  readonly evaluation: Evaluation;
  readonly runtime: Runtime;
  readonly mode: Mode;
  /** The value of `--workspace`. */
  readonly workspace: string | undefined;
}

/** The command that allows the call from now on; undefined if no rule of a file would. */
export async function wayToAllow(
  loaded: LoadedPolicy,
  { evaluation, runtime, mode, workspace }: Asked,
): Promise<string | undefined> {
  const { policy } = loaded;
  const adding = addingFor(loaded, { runtime, add: await adderFor(policy) });
  const rule = nextSuggestedRule(policy, { evaluation, adding, now: runtime.now(), mode });
  return rule && addCommand(rule, { workspace });
}

/** The effect of `add` on the policy's files, by their rules where that is enough: the parser of texts is slow to start. */
async function adderFor({ profiles, sources }: CompiledPolicy): Promise<Adding["add"]> {
  if (sources.entries.every(isKnownByRules)) {
    return (entry, { pattern, action, first }) =>
      addToRules(entry, { rule: { pattern, action }, first, profiles });
  }
  const { entryAdder } = await import("../../suggest/policy_with_texts.ts");
  return entryAdder(profiles);
}
