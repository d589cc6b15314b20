import { type HookEvent, type HookScene, isToolEvent } from "../../gate/hooks/hook_event.ts";
import { hooksFor } from "../../gate/hooks/hook.ts";
import { hookRunner } from "../../io/process/hook_runner.ts";
import { whyNoHooks } from "../../io/process/hook_process.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import { HOOK_EVENTS, type HookEventName } from "../../model/names.ts";
import { colorFor } from "../output/choose_color.ts";
import { UsageError } from "../errors/errors.ts";
import { EXIT } from "../errors/exit_status.ts";
import { hookJson, hookText } from "./text.ts";
import { hooksToTry } from "./hooks.ts";
import { flagValue, hasFlag } from "../args/invocation.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { shellQuoted } from "../../text/quote.ts";
import { readCall, toolName } from "../input/read_call.ts";
import type { Invocation } from "../args/verb.ts";
import { writeJson } from "../output/print.ts";

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
  const why = chosen.length === 0 ? undefined : await whyNoHooks(runtime);
  if (why !== undefined) throw new UsageError(`Cannot run hooks: ${why}`);
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
