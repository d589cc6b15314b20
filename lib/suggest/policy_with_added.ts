import type { Action } from "../model/call.ts";
import type { SourceEntry } from "../model/rule.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import { addToText } from "../policy/edit/add_to_text.ts";
import type { Scope } from "./find_suggested_rule.ts";
import { recompiled } from "./policy_with_rules.ts";

/** A file that `add` writes. */
export interface WritableFile {
  readonly scope: Scope;
  /** Its absolute path. */
  readonly path: string;
}

/** A rule to add, and its place in the file. */
export interface AddedRule {
  readonly pattern: string;
  readonly action: Action;
  /** True if it must stand first in its file (`--first`). */
  readonly first: boolean;
}

/** The verb `add`, without reading and writing. */
export interface Adding {
  /** The files that it writes. */
  readonly files: readonly WritableFile[];
  /**
   * The file's text with the rule in its place; undefined if the verb refuses it or changes nothing.
   */
  add(text: string, rule: AddedRule): string | undefined;
}

/** The policy after `add` wrote the rule to the file of that scope, which keeps its trust. Undefined if it would not. */
export function withAdded(
  policy: CompiledPolicy,
  options: { readonly rule: AddedRule; readonly scope: Scope; readonly adding: Adding },
): CompiledPolicy | undefined {
  const { rule, scope, adding } = options;
  const file = adding.files.find((each) => each.scope === scope);
  const { entries } = policy.sources;
  const entry = entries.find(({ kind, path }) => kind === scope && path === file?.path);
  if (entry === undefined || entry.state === "off") return undefined;
  const text = adding.add(entry.text ?? "", rule);
  if (text === undefined) return undefined;
  const written: SourceEntry = { ...entry, state: "read", text, file: decodePolicy(text) };
  return recompiled(policy, entries.map((each) => each === entry ? written : each));
}

/** Adds rules to the text of a file as the verb `add` does. */
export function adder(profiles: ToolProfiles): Adding["add"] {
  return (text, { pattern, action, first }) => {
    const result = addToText(text, { rule: { pattern, action }, first, profiles });
    return result.kind === "added" ? result.text : undefined;
  };
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
    readonly add: Adding["add"];
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
  const written: SourceEntry = { ...entry, state: "read", text, file: decodePolicy(text) };
  const changed = entries.map((each) => each === entry ? written : each);
  const made = recompiled(policy, changed);
  return made && { entries: changed, policy: made, left };
}
