import { compileHooks } from "../../gate/hooks/compile_hooks.ts";
import { EVERY_TOOL, type Hook, hooksFor } from "../../gate/hooks/hook.ts";
import { type HookEvent, type HookScene, isToolEvent } from "../../gate/hooks/hook_event.ts";
import { placedHooks, type SourceHooks } from "../../gate/hooks/hooks_of_sources.ts";
import { readHooksJson, readHooksToml } from "../../gate/hooks/read_hooks.ts";
import { readHooks } from "../../io/load/hook_files.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { requireHooks } from "../../io/process/hook_process.ts";
import { hookRunner } from "../../io/process/hook_runner.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { HOOK_EVENTS, type HookEventName, type ToolCall } from "../../model/call.ts";
import { inOrder } from "../../model/problem.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { pathText } from "../../report/place_text.ts";
import { HOOKS_FILE } from "../../policy/sources/trust.ts";
import { problemText } from "../../report/problem_text.ts";
import { shellQuoted } from "../../text/quote.ts";
import { flagValue, flagValues, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { readCall, toolName } from "../input/read_call.ts";
import { colorFor } from "../output/choose_color.ts";
import { warn, writeJson } from "../output/print.ts";
import { hookJson, hookText } from "./text.ts";

/** Runs the hooks of an event and shows what came of each. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name, tool, input] = invocation.operands;
  const event = HOOK_EVENTS.find((each) => each === name);
  if (event === undefined) throw new UsageError(`Unknown event "${name}"`);
  checkTool(event, tool);
  const policy = await openPolicyFor(invocation, runtime);
  const cwd = flagValue(invocation, "cwd");
  const { profiles } = policy.policy;
  // Errors in the call or the hooks are reported before anything runs.
  const words = { tool: toolName(tool ?? event), input, cwd };
  const call = await readCall(tool === undefined ? { ...words, input: undefined } : words, {
    profiles,
    runtime,
  });
  const hooks = await hooksToTry(event, { invocation, runtime, policy });
  const sent = eventOf(event, { call, policy });
  const chosen = hooksFor(hooks, sent);
  if (chosen.length > 0) await requireHooks(runtime);
  const folder = policy.location.workspace;
  const outcome = await hookRunner(chosen, { runtime, folder }).run(sent);
  const others = hooks.filter((hook) => !chosen.includes(hook));
  const tried = { event: sent, outcome, others };
  if (hasFlag(invocation, "json")) await writeJson(runtime, hookJson(tried));
  else {
    const color = colorFor(invocation, runtime);
    await runtime.write("stdout", hookText(tried, { color, folders: policy.location }));
  }
  return EXIT.ok;
}

function checkTool(event: HookEventName, tool: string | undefined): void {
  if (isToolEvent(event) && tool === undefined) {
    throw new UsageError(`The tool is missing: ${event} is about a tool call`, {
      hint: "For example:",
      command: `caliban hook try ${event} Bash 'git push'`,
    });
  }
  if (!isToolEvent(event) && tool !== undefined) {
    throw new UsageError(`"${tool}" has no effect: ${event} is not about a tool call`, {
      hint: "Omit it:",
      command: `caliban hook try ${shellQuoted(event)}`,
    });
  }
}

/** An event as an agent would send it, as far as it is known here. */
function eventOf(
  event: HookEventName,
  { call, policy }: { readonly call: ToolCall; readonly policy: LoadedPolicy },
): HookEvent {
  const scene: HookScene = {
    sessionId: "caliban-hook-try",
    cwd: call.cwd ?? policy.location.cwd,
    mode: "default",
  };
  switch (event) {
    case "PreToolUse":
      return { ...scene, event, call };
    case "PostToolUse":
      return { ...scene, event, call, response: {} };
    case "PreCompact":
      return { ...scene, event, trigger: "manual" };
    case "PostCompact":
      return { ...scene, event, trigger: "manual", summary: "" };
    case "SessionStart":
      return { ...scene, event, origin: "startup" };
    case "Stop":
      return { ...scene, event, isContinued: false };
  }
}

/** The places to look for hooks. */
interface HookSources {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  /** The policy, whose hooks are tried when the command line names none. */
  readonly policy: LoadedPolicy;
}

/**
 * The hooks of an event that the command line names, else those of the policy that count. Throws PolicyError when
 * anything is wrong with any of them, FileError when a file cannot be read; prints other problems, and ignored hooks, on stderr.
 */
async function hooksToTry(
  event: HookEventName,
  { invocation, runtime, policy }: HookSources,
): Promise<readonly Hook[]> {
  const files = flagValues(invocation, "hooks");
  const commands = flagValues(invocation, "command");
  const named = files.length > 0 || commands.length > 0;
  const found = named ? hooksOfFiles(files, runtime) : await readHooks(runtime, policy);
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
  // Those of permissions.toml are among the notices of the policy.
  const waiting = found.untrusted.find(({ source }) => source.path.endsWith(HOOKS_FILE));
  if (waiting !== undefined) {
    const place = pathText(waiting.source.path, policy.location);
    const message = `the hooks of ${place} count only after "caliban trust"`;
    await warn(runtime, { label: "note:", message });
  }
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
