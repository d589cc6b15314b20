import { compileHooks } from "../../gate/hooks/compile_hooks.ts";
import { EVERY_TOOL } from "../../gate/hooks/hook.ts";
import type { Hook } from "../../gate/hooks/hook.ts";
import {
  hooksOfSources,
  placedHooks,
  type SourceHooks,
} from "../../gate/hooks/hooks_of_sources.ts";
import { readHooksJson, readHooksToml } from "../../gate/hooks/read_hooks.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { HookEventName } from "../../model/names.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { problemText } from "../../report/problem_text.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { colorFor } from "../output/choose_color.ts";
import { flagValues } from "../args/invocation.ts";
import type { Invocation } from "../args/verb.ts";
import { inOrder } from "../../text/problems.ts";

/** The places to look for hooks. */
export interface HookSources {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  /** The policy, whose hooks are tried when the command line names none. */
  readonly policy: LoadedPolicy;
}

/**
 * The hooks of an event that the command line names, else those of the policy that count. Throws PolicyError when
 * anything is wrong with any of them, FileError when a file cannot be read; prints other problems, and ignored hooks, on stderr.
 */
export async function hooksToTry(
  event: HookEventName,
  { invocation, runtime, policy }: HookSources,
): Promise<readonly Hook[]> {
  const files = flagValues(invocation, "hooks");
  const commands = flagValues(invocation, "command");
  const named = files.length > 0 || commands.length > 0;
  const found = named ? hooksOfFiles(files, runtime) : hooksOfSources(policy.sources.entries);
  const { hooks, problems: warnings } = await compileHooks(found.hooks);
  // Ignored hooks are checked too, so that their errors do not first appear after "caliban trust".
  const problems = inOrder([
    ...found.problems,
    ...warnings,
    ...(await compileHooks(found.untrusted)).problems,
  ]);
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  const color = colorFor(invocation, runtime, "stderr");
  for (const problem of problems) await runtime.write("stderr", problemText(problem, { color }));
  const given = commands.map((command, index): Hook => ({
    event,
    matcher: EVERY_TOOL,
    command,
    source: { kind: "cli", path: "--command", line: index + 1, column: 1 },
  }));
  return [...hooks.filter((hook) => hook.event === event), ...given];
}

function hooksOfFiles(files: readonly string[], runtime: Runtime): SourceHooks {
  const style = pathStyle(runtime.platform);
  const read = files.map((named) => {
    const path = style.absolute(named, runtime.cwd());
    const text = runtime.readText(path).replace(/^\ufeff/, "");
    const read = /^\s*\{/.test(text) ? readHooksJson(text) : readHooksToml(text);
    return placedHooks(read, { kind: "flag", path, text, state: "read", trusted: true });
  });
  return {
    hooks: read.flatMap(({ hooks }) => hooks),
    untrusted: [],
    problems: read.flatMap(({ problems }) => problems),
  };
}
