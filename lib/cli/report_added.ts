import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import { pathText } from "../report/place_text.ts";
import { visible } from "../report/visible.ts";
import { hasFlag } from "./invocation.ts";
import type { Added } from "./place_notes.ts";
import type { Invocation } from "./verb.ts";
import { writeJson } from "./write_json.ts";

/** Prints what came of adding a rule; `line` is that of the same rule, where it stood there before. */
export async function reportAdded(
  { pattern, action, target, line }: Omit<Added, "outcome"> & { readonly line: number | undefined },
  { policy, invocation, runtime }: {
    policy: LoadedPolicy;
    invocation: Invocation;
    runtime: Runtime;
  },
): Promise<void> {
  if (hasFlag(invocation, "json")) {
    const { scope, path } = target;
    const done = line === undefined ? "added" : "nothing";
    return await writeJson(runtime, { done, pattern, action, scope, path, line: line ?? null });
  }
  const name = `${action} ${visible(pattern)}`;
  const where = pathText(target.path, policy.facts);
  const said = line === undefined
    ? `Added ${name} to ${where}\n`
    : `Nothing to add: ${name} stands in ${where}:${line}\n`;
  await runtime.write("stdout", said);
}
