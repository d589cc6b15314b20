import type { JsonObject } from "../../model/call.ts";
import { checkEvent } from "../hook/claude_form.ts";
import { objectOf, optionalText, textOf } from "../hook/fields.ts";
import { claudeDecision, jsonOutput, SILENCE } from "../hook/hook_output.ts";
import type { AgentEvent, HookOutput, HookProtocol, HookResponse } from "../hook/hook_protocol.ts";
import { eventOfCall } from "../hook/map_call.ts";

/** The name for events in Copilot's own form, which has none. */
const OWN_EVENT = "preToolUse";

/** Copilot CLI's hooks: only JSON on standard output stops a call. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
  const name = optionalText(event, ["hook_event_name", "hookEventName"]) ?? OWN_EVENT;
  checkEvent(name, [OWN_EVENT, "PreToolUse"]);
  return eventOfCall("copilot", {
    name,
    cwd: optionalText(event, ["cwd"]),
    tool: textOf(event, ["toolName", "tool_name"]),
    input: objectOf(event, ["toolArgs", "tool_args", "tool_input", "toolInput"]),
    folders: [],
  });
}

function render({ decision, reason, event }: HookResponse): HookOutput {
  if (decision === "silence") return SILENCE;
  const own = { permissionDecision: decision, permissionDecisionReason: reason };
  // The editor reads Claude Code's form, under that form's name of the event.
  return jsonOutput(event === OWN_EVENT ? own : { ...own, ...claudeDecision(decision, reason) });
}
