import { findPolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { scopeFile } from "../write/scope_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { writePolicyFile, writeSchemaFile } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

/** The preset with `unmatched = "agent"`, which counts in the user's file. */
const OWN_PRESET = "guard";

const NOT_OWN = 'Its unmatched = "agent" does not count here: use --scope user';

/** Writes the starter policy, unless there is one, and the schema beside it. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const preset = flagValue(invocation, "preset");
  const scope = flagValue(invocation, "scope") ?? (preset === OWN_PRESET ? "user" : undefined);
  const file = scopeFile(runtime, { location, scope });
  const starter = await starterText(preset);
  await writePolicyFile(file, (text) => {
    if (text === undefined) return starter;
    throw new UsageError(`Cannot write a starter policy: "${file.path}" already exists`, {
      hint: 'Edit it, or add rules with "caliban perms add"; to start over, move it away first',
    });
  }, { location, runtime });
  const { platform } = location;
  const schemaPath = await writeSchemaFile(file, { platform, replace: true });
  if (hasFlag(invocation, "json")) {
    const { scope, path } = file;
    await writeJson(runtime, { done: "written", scope, path, schema: schemaPath });
    return EXIT.ok;
  }
  const lines = [`Wrote ${visible(file.path)}`, `Wrote ${visible(schemaPath)}`];
  if (preset === OWN_PRESET && file.scope !== "user") lines.push(NOT_OWN);
  if (file.scope === "local") lines.push("Keep the first file out of git: it is yours alone");
  await runtime.write("stdout", lines.join("\n") + "\n");
  return EXIT.ok;
}

/** The starter policy, or a preset. Throws RangeError for one that is not there. */
async function starterText(preset: string | undefined): Promise<string> {
  if (preset === undefined) return (await import("./starter.ts")).STARTER;
  const { default: { presets } } = await import("../../../defaults/presets.json", {
    with: { type: "json" },
  });
  const found = presets.find(({ name }) => name === preset);
  if (found === undefined) throw new RangeError(`Unknown preset ${preset}`);
  return found.text;
}
