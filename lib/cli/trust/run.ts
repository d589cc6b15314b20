import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import { readTrustFiles, recordPathOf } from "../../io/load/trust_files.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { withoutTrusted } from "../../policy/sources/trust.ts";
import { visible } from "../../text/visible.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, InputError, UsageError, WriteError } from "../errors/errors.ts";
import { writeJson } from "../output/print.ts";

/** Records the workspace's files as trusted, or takes the record back. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const path = recordPath(location, runtime);
  const workspace = location.workspaceReal;
  const { editTrust, recordTrust } = await import("../../io/write/trust_record.ts");
  if (hasFlag(invocation, "remove")) {
    await recording(() => editTrust(path, (record) => withoutTrusted(record, workspace)));
    if (hasFlag(invocation, "json")) {
      await writeJson(runtime, { done: "removed", workspace, files: [], record: path });
    } else await runtime.write("stdout", `${visible(workspace)} is no longer trusted\n`);
    return EXIT.ok;
  }
  const texts = readTrustFiles(runtime, location.workspace);
  if (texts.size === 0) {
    throw new UsageError(`Nothing to trust: ${location.workspace} has no policy file`, {
      hint: '"caliban init" creates one',
    });
  }
  await recording(() => recordTrust(runtime, { path, workspace, texts }));
  const files = [...texts.keys()];
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
  const path = recordPathOf(runtime, location);
  if (path !== undefined) return path;
  throw new UsageError("Cannot locate the trust record: the home folder is unknown", {
    hint: "Set HOME or XDG_STATE_HOME",
  });
}

async function recording(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (!(error.cause instanceof SyntaxError)) {
      throw new WriteError(error.message, { cause: error });
    }
    throw new InputError(error.message, {
      hint: "Delete or rename it to start over; no workspace will be trusted",
      cause: error,
    });
  }
}
