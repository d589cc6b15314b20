import type { Action } from "../model/action.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { Scope } from "./remedy.ts";
import { remade } from "./with_flag.ts";

/** A file that `add` writes. */
export interface WritableFile {
  /** Its scope. */
  readonly scope: Scope;
  /** Its absolute path. */
  readonly path: string;
}

/** A rule, and where in its file it is to be added. */
export interface AddedRule {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** Whether it must stand first in its file (`--first`). */
  readonly first: boolean;
}

/** The verb `add`, without reading and writing. */
export interface Adding {
  /** The files that it writes. */
  readonly files: readonly WritableFile[];
  /** A file's text with the rule in its place; undefined where the verb refuses it, or leaves the text as it is. */
  add(text: string, rule: AddedRule): string | undefined;
}

/**
 * The policy after `add` wrote the rule to the file of that scope. Undefined where it would not, or where more would change
 * than the rule: a file that is trusted is not so any more once it is written.
 */
export function withAdded(
  policy: Policy,
  options: { readonly rule: AddedRule; readonly scope: Scope; readonly adding: Adding },
): Policy | undefined {
  const { rule, scope, adding } = options;
  const file = adding.files.find((each) => each.scope === scope);
  const { entries } = policy.sources;
  const entry = entries.find(({ kind, path }) => kind === scope && path === file?.path);
  if (entry === undefined || entry.state === "off") return undefined;
  if (scope !== "user" && entry.trusted) return undefined;
  const text = adding.add(entry.text ?? "", rule);
  if (text === undefined) return undefined;
  const written: SourceEntry = { ...entry, state: "read", text, file: decodePolicy(text) };
  return remade(policy, entries.map((each) => each === entry ? written : each));
}
