import { hooksOfSources } from "../../gate/hooks/hooks_of_sources.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { PolicyFile } from "../../model/rule.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { printPolicy, printPolicyJson } from "../../policy/edit/print_policy.ts";
import { visible } from "../../text/visible.ts";
import { mergedFile } from "../../policy/sources/merged_file.ts";
import { policyFromToml } from "../../policy/sources/policy_from_toml.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { readNamedFile } from "../input/named_file.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";

/** Prints one file's rules, or those of all sources. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name] = invocation.operands;
  const file = name === undefined ? await everything(invocation, runtime) : oneFile(name, runtime);
  const format = flagValue(invocation, "format") ?? "toml";
  if (format !== "toml" && format !== "json") {
    const { exportForeign } = await import("./foreign.ts");
    return await exportForeign(file, { format, invocation, runtime });
  }
  refuseIdle(invocation, format);
  await runtime.write("stdout", format === "json" ? printPolicyJson(file) : printPolicy(file));
  return EXIT.ok;
}

/** Flags that are about another agent's format. */
function refuseIdle(invocation: Invocation, format: string): void {
  const idle = ["strict", "json"].find((name) => hasFlag(invocation, name));
  if (idle === undefined) return;
  throw new UsageError(
    `Flag "--${idle}" is for another agent's format: ${format} loses nothing`,
  );
}

function oneFile(name: string, runtime: Runtime): PolicyFile {
  const { path, text } = readNamedFile(name, runtime);
  // Throws for all that is wrong in the file, its patterns too.
  policyFromToml(text, { path, builtin: "none" });
  return decodePolicy(text);
}

/** All sources as one file; settings that count only in some files are reported on stderr. */
async function everything(invocation: Invocation, runtime: Runtime): Promise<PolicyFile> {
  const policy = await openPolicyFor(invocation, runtime);
  const { file, losses } = mergedFile(policy.sources);
  const { hooks, untrusted } = hooksOfSources(policy.sources.entries);
  const left = untrusted.map(({ event, command }) =>
    `the hook of ${event} "${visible(command.value)}" is omitted: it needs "caliban trust"`
  );
  for (const message of [...losses, ...left]) await warn(runtime, { label: "note:", message });
  return hooks.length === 0 ? file : { ...file, hooks };
}
