import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { hashTrustFiles } from "../../io/load/trust_files.ts";
import { visible } from "../../text/visible.ts";
import { NO_OPTIONS } from "../../policy/sources/source.ts";
import {
  formatTrust,
  parseTrust,
  trustPath,
  type TrustRecord,
  withoutTrusted,
  withTrusted,
} from "../../policy/sources/trust.ts";
import { EXIT, InputError, UsageError } from "../errors/errors.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { writeFile } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

/** Records the workspace's files as trusted, or takes the record back. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const path = recordPath(location, runtime);
  const workspace = location.workspaceReal;
  if (hasFlag(invocation, "remove")) {
    await edit(path, (record) => withoutTrusted(record, workspace));
    if (hasFlag(invocation, "json")) {
      await writeJson(runtime, { done: "removed", workspace, files: [], record: path });
    } else await runtime.write("stdout", `${visible(workspace)} is no longer trusted\n`);
    return EXIT.ok;
  }
  const hashes = await hashTrustFiles(runtime, { workspace: location.workspace });
  if (hashes.size === 0) {
    throw new UsageError(`Nothing to trust: ${location.workspace} has no policy file`, {
      hint: '"caliban init" creates one',
    });
  }
  const at = new Date(runtime.now()).toISOString();
  await edit(path, (record) => withTrusted(record, { workspace, trusted: { files: hashes, at } }));
  const files = [...hashes.keys()];
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done: "trusted", workspace, files, record: path });
    return EXIT.ok;
  }
  const lines = [
    `Trusted in ${visible(workspace)}, in their current state:`,
    ...files.map((file) => `  ${file}`),
  ];
  await runtime.write("stdout", lines.join("\n") + "\n");
  return EXIT.ok;
}

function recordPath(location: PolicyLocation, runtime: Runtime): string {
  const path = trustPath({
    platform: location.platform,
    workspace: location.workspace,
    cwd: location.cwd,
    home: location.home,
    env: (name) => runtime.env(name),
    options: NO_OPTIONS,
  });
  if (path !== undefined) return path;
  throw new UsageError("Cannot locate the trust record: the home folder is unknown", {
    hint: "Set HOME or XDG_STATE_HOME",
  });
}

async function edit(path: string, change: (record: TrustRecord) => TrustRecord): Promise<void> {
  await writeFile(path, (text) => formatTrust(change(recordIn(path, text))), {
    within: null,
    newFolders: 4,
  });
}

function recordIn(path: string, text: string | undefined): TrustRecord {
  if (text === undefined) return new Map();
  try {
    return parseTrust(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new InputError(`Cannot read the trust record "${path}": ${cause.message}`, {
      hint: "Delete or rename it to start over; no workspace will be trusted",
      cause,
    });
  }
}
