// All that the texts of policy files need: one import on demand loads it, and none where there is no such file.
import type { SourceEntry } from "../../model/rule.ts";
import { decodeCounted, decodeFast } from "../../policy/decode/decode_fast.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isLinkedOut, unquotedProblems } from "./linked_out.ts";
import type { PolicyLocation } from "./policy_location.ts";
import type { PolicyFiles } from "./read_places.ts";

export { isTrustRecorded } from "./trust_files.ts";

/** The entries with their texts decoded, highest first; those without a text stay as they are. */
export async function decodeEntries(
  entries: readonly SourceEntry[],
  { runtime, location, files }: {
    readonly runtime: Runtime;
    readonly location: Pick<PolicyLocation, "workspace" | "workspaceReal">;
    readonly files: PolicyFiles;
  },
): Promise<readonly SourceEntry[]> {
  const decoded: SourceEntry[] = [];
  for (const entry of entries) {
    const { kind, path, text } = entry;
    if (text === undefined) {
      decoded.push(entry);
      continue;
    }
    const linkedOut = isLinkedOut(runtime, path, location);
    const file = await files.decode({ kind, path, text }, { decodeCounted, decodeFast });
    const problems = linkedOut ? unquotedProblems(file.problems) : file.problems;
    decoded.push({ ...entry, ...(linkedOut ? { linkedOut } : {}), file: { ...file, problems } });
  }
  return decoded;
}
