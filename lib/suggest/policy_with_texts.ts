import type { SourceEntry } from "../model/rule.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import { addToText } from "../policy/edit/add_to_text.ts";
import { type AddedRule, type Adding, recompiled, type WritableFile } from "./policy_with_rules.ts";

/** Adds a rule to the text of a file; undefined if the verb `add` refuses it or changes nothing. */
export type TextAdder = (text: string, rule: AddedRule) => string | undefined;

/** Adds rules to the text of a file as the verb `add` does. */
export function adder(profiles: ToolProfiles): TextAdder {
  return (text, { pattern, action, first }) => {
    const result = addToText(text, { rule: { pattern, action }, first, profiles });
    return result.kind === "added" ? result.text : undefined;
  };
}

/** Adds rules to entries as the verb `add` does, by the texts of their files. */
export function entryAdder(profiles: ToolProfiles): Adding["add"] {
  const add = adder(profiles);
  return (entry, rule) => {
    const text = add(entry.text ?? "", rule);
    return text === undefined ? undefined : withText(entry, text);
  };
}

function withText(entry: SourceEntry, text: string): SourceEntry {
  return { ...entry, state: "read", text, file: decodePolicy(text) };
}

/** A policy after `add` wrote some allow rules, one by one, to one of its files. */
interface WithPatterns {
  /** Its sources, highest first; the file keeps its trust. */
  readonly entries: readonly SourceEntry[];
  /** The policy of these sources. */
  readonly policy: CompiledPolicy;
  /** The patterns that `add` did not write, because it refuses them or they exist already. */
  readonly left: readonly string[];
}

/**
 * The policy with allow rules in that file, where `add` would put them; undefined if the file is no source of it, or the
 * new policy has an error.
 */
export function withPatterns(
  policy: CompiledPolicy,
  { patterns, file, add }: {
    readonly patterns: readonly string[];
    readonly file: WritableFile;
    readonly add: TextAdder;
  },
): WithPatterns | undefined {
  const { entries } = policy.sources;
  const entry = entries.find(({ kind, path }) => kind === file.scope && path === file.path);
  if (entry === undefined || entry.state === "off") return undefined;
  const left: string[] = [];
  let text = entry.text ?? "";
  for (const pattern of patterns) {
    const next = add(text, { pattern, action: "allow", first: false });
    if (next === undefined) left.push(pattern);
    else text = next;
  }
  const written = withText(entry, text);
  const changed = entries.map((each) => each === entry ? written : each);
  const made = recompiled(policy, changed);
  return made && { entries: changed, policy: made, left };
}
