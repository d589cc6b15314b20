import { type HookEvent, type HookScene, isToolEvent } from "../../gate/hooks/hook_event.ts";
import { hooksFor } from "../../gate/hooks/hooks_for.ts";
import { hookRunner } from "../../io/process/hook_runner.ts";
import { whyNoHooks } from "../../io/process/hook_process.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import { HOOK_EVENTS, type HookEventName } from "../../model/hook.ts";
import { chooseColor } from "../choose_color.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { hookJson } from "../hook/json.ts";
import { hookText } from "../hook/text.ts";
import { hooksToTry } from "../hooks_to_try.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { quoted } from "../../text/quote.ts";
import { readCall, toolName } from "../read_call.ts";
import type { Invocation } from "../verb.ts";
import { writeJson } from "../write_json.ts";

/** Runs the hooks of an event and shows what came of each. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name, tool, input] = invocation.operands;
  const event = HOOK_EVENTS.find((each) => each === name);
  if (event === undefined) throw new UsageError(`There is no event "${name}"`);
  checkTool(event, tool);
  const policy = await openFor(invocation, runtime);
  const cwd = flagValue(invocation, "cwd");
  const { profiles } = policy.policy;
  // What is wrong with the call or the hooks is said before anything runs.
  const words = { tool: toolName(tool ?? event), input, cwd };
  const call = await readCall(tool === undefined ? { ...words, input: undefined } : words, {
    profiles,
    runtime,
  });
  const hooks = await hooksToTry(event, { invocation, runtime, policy });
  const told = eventOf(event, { call, policy });
  const chosen = hooksFor(hooks, told);
  const why = chosen.length === 0 ? undefined : await whyNoHooks(runtime);
  if (why !== undefined) throw new UsageError(`Cannot run hooks: ${why}`);
  const folder = policy.facts.workspace;
  const outcome = await hookRunner(chosen, { runtime, folder }).run(told);
  const others = hooks.filter((hook) => !chosen.includes(hook));
  const tried = { event: told, outcome, others };
  if (hasFlag(invocation, "json")) await writeJson(runtime, hookJson(tried));
  else {
    const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
    await runtime.write("stdout", hookText(tried, { color, folders: policy.facts }));
  }
  return EXIT.ok;
}

function checkTool(event: HookEventName, tool: string | undefined): void {
  if (isToolEvent(event) && tool === undefined) {
    throw new UsageError(`The tool is missing: ${event} is about a call`, {
      hint: "For example:",
      command: `caliban hook try ${event} Bash 'git push'`,
    });
  }
  if (!isToolEvent(event) && tool !== undefined) {
    throw new UsageError(`"${tool}" would change nothing: no tool is called at ${event}`, {
      hint: "Leave it out:",
      command: `caliban hook try ${quoted(event)}`,
    });
  }
}

/** An event as an agent would tell it, with what can be known of it here. */
function eventOf(
  event: HookEventName,
  { call, policy }: { readonly call: ToolCall; readonly policy: LoadedPolicy },
): HookEvent {
  const scene: HookScene = {
    sessionId: "caliban-hook-try",
    cwd: call.cwd ?? policy.facts.cwd,
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
