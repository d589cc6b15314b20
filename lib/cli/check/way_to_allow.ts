import type { Evaluation } from "../../decide/evaluate.ts";
import type { Mode } from "../../decide/modes.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { SourceEntry } from "../../model/rule.ts";
import { addToRules, textThatTells } from "../../policy/edit/add_to_rules.ts";
import { addCommand, nextSuggestedRule, outcome } from "../../suggest/find_suggested_rule.ts";
import type { Adding } from "../../suggest/policy_with_rules.ts";
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
  const isAllow = outcome(policy, evaluation, { mode }) !== "allow";
  const adding = addingFor(loaded, { runtime, add: await adderFor(policy, { isAllow }) });
  const rule = nextSuggestedRule(policy, { evaluation, adding, now: runtime.now(), mode });
  return rule && addCommand(rule, { workspace });
}

/**
 * The effect of `add` on the policy's files, by their rules where that is enough: the parser of texts is slow to start. An allow stands
 * above no other rule, so that none has to be compared with it.
 */
async function adderFor(
  { profiles, sources }: CompiledPolicy,
  { isAllow }: { readonly isAllow: boolean },
): Promise<Adding["add"]> {
  if (isAllow && await areKnownByRules(sources.entries)) {
    return (entry, { pattern, action, first }) => {
      const rule = { pattern, action };
      return addToRules(entry, { rule, first, profiles, placeAmong: () => undefined });
    };
  }
  const { entryAdder } = await import("../../suggest/policy_with_texts.ts");
  return entryAdder(profiles);
}

/** True if rules say what `add` does to each entry. The decoder of texts is loaded only for a file without rules. */
async function areKnownByRules(entries: readonly SourceEntry[]): Promise<boolean> {
  const texts = entries.map(textThatTells).filter((text) => text !== undefined);
  if (texts.length === 0) return true;
  const { decodeFast } = await import("../../policy/decode/decode_fast.ts");
  return texts.every((text) => decodeFast(text) !== undefined);
}
