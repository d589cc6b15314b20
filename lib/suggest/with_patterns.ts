import type { SourceEntry } from "../model/source_entry.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { Adding, WritableFile } from "./with_added.ts";
import { remade } from "./with_flag.ts";

/** A policy after `add` wrote some allow rules, one by one, to one of its files. */
export interface WithPatterns {
  /** Its sources, highest first; the file is trusted as it was. */
  readonly entries: readonly SourceEntry[];
  /** The policy that they make. */
  readonly policy: Policy;
  /** The patterns that `add` did not write: it refuses them, or they stand there already. */
  readonly left: readonly string[];
}

/**
 * The policy with allow rules where `add` would put them, in that file; undefined where the file is no source of it, or the
 * policy has an error then.
 */
export function withPatterns(
  policy: Policy,
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
  const made = remade(policy, changed);
  return made && { entries: changed, policy: made, left };
}
