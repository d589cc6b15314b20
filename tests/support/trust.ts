import { findPolicyLocation } from "../../lib/io/load/policy_location.ts";
import { recordPathOf } from "../../lib/io/load/trust_files.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { readTrustFiles, recordTrust } from "../../lib/io/write/trust_record.ts";

/** Trusts a workspace as it is now, by the code of `caliban trust`, in the record of that person. Throws FileError. */
export async function trustWorkspace(
  folder: string,
  person: Pick<Runtime, "env">,
): Promise<void> {
  const runtime: Runtime = { ...await chooseRuntime(), env: (name) => person.env(name) };
  const location = findPolicyLocation(runtime, { workspace: folder });
  const path = recordPathOf(runtime, location);
  const texts = readTrustFiles(runtime, folder);
  if (path === undefined || texts.size === 0) return;
  await recordTrust(runtime, { path, workspace: location.workspaceReal, texts });
}

/** As `trustWorkspace`, in the record of a person with that home folder. */
export async function trustAtHome(folder: string, home: string): Promise<void> {
  await trustWorkspace(folder, { env: (name) => name === "HOME" ? home : undefined });
}
