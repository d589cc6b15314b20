import { findFacts, type PolicyFacts } from "../../io/load/find_facts.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { hashTrustFiles } from "../../io/load/trust_files.ts";
import { visible } from "../../text/visible.ts";
import { NO_OPTIONS } from "../../policy/sources/source.ts";
import {
  trustPath,
  type TrustRecord,
  withoutTrusted,
  withTrusted,
} from "../../policy/sources/trust.ts";
import { formatTrust, parseTrust } from "../../policy/sources/trust_text.ts";
import { InputError, UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import type { Invocation } from "../verb.ts";
import { writeFile } from "../write_file.ts";
import { writeJson } from "../write_json.ts";

/** Records the workspace's files as trusted, or takes the record back. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const facts = findFacts(runtime, named === undefined ? {} : { workspace: named });
  const path = recordPath(facts, runtime);
  const workspace = facts.workspaceReal;
  if (hasFlag(invocation, "remove")) {
    await edit(path, (record) => withoutTrusted(record, workspace));
    if (hasFlag(invocation, "json")) {
      await writeJson(runtime, { done: "removed", workspace, files: [], record: path });
    } else await runtime.write("stdout", `No trust in ${visible(workspace)} is on record now\n`);
    return EXIT.ok;
  }
  const hashes = await hashTrustFiles(runtime, { workspace: facts.workspace });
  if (hashes.size === 0) {
    throw new UsageError(`There is nothing to trust: ${facts.workspace} has no policy file`, {
      hint: "caliban init writes one",
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
    `Trusted, as they now are, in ${visible(workspace)}:`,
    ...files.map((file) => `  ${file}`),
  ];
  await runtime.write("stdout", lines.join("\n") + "\n");
  return EXIT.ok;
}

function recordPath(facts: PolicyFacts, runtime: Runtime): string {
  const path = trustPath({
    platform: facts.platform,
    workspace: facts.workspace,
    cwd: facts.cwd,
    home: facts.home,
    env: (name) => runtime.env(name),
    options: NO_OPTIONS,
  });
  if (path !== undefined) return path;
  throw new UsageError("Cannot tell where trust is recorded: no home folder is known", {
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
      hint: "Move it away to start anew: nothing is trusted then",
      cause,
    });
  }
}
