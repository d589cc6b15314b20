import { FileError, type Runtime } from "../../io/runtime.ts";
import type { PolicyFile } from "../../model/settings.ts";
import { decodePolicy } from "../../policy/decode_policy.ts";
import { writePolicy } from "../../policy/write_policy.ts";
import { writePolicyJson } from "../../policy/write_policy_json.ts";
import { mergedFile } from "../../sources/merged_file.ts";
import { pathStyle } from "../../sources/path_style.ts";
import { policyFromToml } from "../../sources/policy_from_toml.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import type { Invocation } from "../verb.ts";
import { warn } from "../warn.ts";

/** Prints one file's rules, or those of all sources. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name] = invocation.operands;
  const file = name === undefined ? await everything(invocation, runtime) : oneFile(name, runtime);
  const write = flagValue(invocation, "format") === "json" ? writePolicyJson : writePolicy;
  await runtime.write("stdout", write(file));
  return EXIT.ok;
}

function oneFile(name: string, runtime: Runtime): PolicyFile {
  const path = pathStyle(runtime.platform).absolute(name, runtime.cwd());
  if (runtime.stat(path) === undefined) {
    throw new FileError(`Cannot read "${name}": there is no such file`, {
      path,
      fault: "not-found",
    });
  }
  const text = runtime.readText(path).replace(/^\ufeff/, "");
  // Throws for all that is wrong in the file, its patterns too.
  policyFromToml(text, { path, builtin: "none" });
  return decodePolicy(text);
}

/** All sources as one file; what of it counts in some files only is said on stderr. */
async function everything(invocation: Invocation, runtime: Runtime): Promise<PolicyFile> {
  const policy = await openFor(invocation, runtime);
  const { file, losses } = mergedFile(policy.sources);
  for (const message of losses) await warn(runtime, { label: "note:", message });
  return file;
}
