import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import { addToText } from "./add_to_text.ts";
import { editRefused } from "./edit_refused.ts";
import { UsageError } from "./errors.ts";
import { type ScopeFile, scopeFile } from "./scope.ts";

/** A rule that stands in no file: adding it tells whether the file can be edited at all. */
const PROBE = { pattern: "Bash:caliban-suggest-probe", action: "allow" } as const;

/**
 * The file that suggested rules would go to. Throws UsageError where `--scope` must be named or its file is left out, and
 * PolicyError for a file that `add` would not edit.
 */
export function suggestTarget(
  { facts, policy, sources }: LoadedPolicy,
  { scope, runtime }: { readonly scope: string | undefined; readonly runtime: Runtime },
): ScopeFile {
  const file = scopeFile(runtime, { facts, scope });
  const entry = sources.entries.find(({ kind, path }) => kind === file.scope && path === file.path);
  if (entry === undefined || entry.state === "off") {
    throw new UsageError(`Cannot suggest rules for "${file.path}": it is left out here`, {
      hint: "Name another place with --scope, or leave out the flag that turns it off",
    });
  }
  const { profiles } = policy;
  const result = addToText(entry.text ?? "", { rule: PROBE, first: false, profiles });
  if (result.kind === "refused") throw editRefused(result.why, file.path);
  return file;
}
