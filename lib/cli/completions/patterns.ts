import { findPolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { SourceError } from "../../policy/sources/source.ts";
import { visible } from "../../text/visible.ts";
import { type ScopeFile, scopeFile } from "../write/scope_file.ts";

const SCOPES: readonly ScopeFile["scope"][] = ["project", "local", "user"];

/**
 * The patterns of the files that rules are removed from, each once. Someone who types sees them, so a file that cannot be read
 * counts as empty, and a pattern in which characters hide is left out.
 */
export function removablePatterns(runtime: Runtime): readonly string[] {
  const patterns = SCOPES.flatMap((scope) => patternsOf(scope, runtime));
  return [...new Set(patterns)].filter((each) => visible(each) === each);
}

function patternsOf(scope: ScopeFile["scope"], runtime: Runtime): readonly string[] {
  try {
    const location = findPolicyLocation(runtime, {});
    const { path } = scopeFile(runtime, { location, scope });
    if (runtime.stat(path) !== "file") return [];
    return decodePolicy(runtime.readText(path)).rules.map(({ pattern }) => pattern.value);
  } catch (error) {
    if (error instanceof FileError || error instanceof SourceError) return [];
    throw error;
  }
}
