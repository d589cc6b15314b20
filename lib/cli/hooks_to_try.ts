import { compileHooks } from "../gate/hooks/compile_hooks.ts";
import type { Hook } from "../gate/hooks/hook.ts";
import { EVERY_TOOL } from "../gate/hooks/matcher.ts";
import { hooksOfSources, placedHooks, type SourceHooks } from "../gate/hooks/hooks_of_sources.ts";
import { readHooksJson, readHooksToml } from "../gate/hooks/read_hooks.ts";
import type { LoadedPolicy } from "../io/load/load_policy.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import type { HookEventName } from "../model/hook.ts";
import type { FileProblem } from "../model/problem.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { problemText } from "../report/problem_text.ts";
import { pathStyle } from "../policy/sources/path_style.ts";
import { chooseColor } from "./choose_color.ts";
import { flagValue, flagValues } from "./invocation.ts";
import type { Invocation } from "./verb.ts";

/** Where hooks to try come from. */
export interface HookSources {
  /** The command line. */
  readonly invocation: Invocation;
  /** The machine. */
  readonly runtime: Runtime;
  /** The policy, whose hooks are tried when the command line names none. */
  readonly policy: LoadedPolicy;
}

/**
 * The hooks of an event that the command line names, else those of the policy that count. Throws PolicyError when
 * anything is wrong with any of them, FileError when a file cannot be read; says on stderr what is odd, or does not count.
 */
export async function hooksToTry(
  event: HookEventName,
  { invocation, runtime, policy }: HookSources,
): Promise<readonly Hook[]> {
  const files = flagValues(invocation, "hooks");
  const commands = flagValues(invocation, "command");
  const named = files.length > 0 || commands.length > 0;
  const found = named ? hooksOfFiles(files, runtime) : hooksOfSources(policy.sources.entries);
  const { hooks, problems: odd } = compileHooks(found.hooks);
  // Those that do not count are read all the same: what is wrong with them should not show after "caliban trust" only.
  const problems = inOrder([
    ...found.problems,
    ...odd,
    ...compileHooks(found.untrusted).problems,
  ]);
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stderr" });
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
    const said = /^\s*\{/.test(text) ? readHooksJson(text) : readHooksToml(text);
    return placedHooks(said, { kind: "flag", path, text, state: "read", trusted: true });
  });
  return {
    hooks: read.flatMap(({ hooks }) => hooks),
    untrusted: [],
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The problems file by file, and within each in the order of the text. */
function inOrder(problems: readonly FileProblem[]): readonly FileProblem[] {
  const paths = [...new Set(problems.map(({ path }) => path))];
  return problems.toSorted((a, b) =>
    paths.indexOf(a.path) - paths.indexOf(b.path) || a.span.start - b.span.start
  );
}
