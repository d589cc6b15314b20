import type { Action } from "../model/call.ts";
import type { SourceEntry } from "../model/rule.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
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
   * The entry of a file with the rule in its place and the trust that it had; undefined if the verb refuses it or changes nothing.
   */
  add(entry: SourceEntry, rule: AddedRule): SourceEntry | undefined;
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
  const written = adding.add(entry, rule);
  return written && recompiled(policy, entries.map((each) => each === entry ? written : each));
}
