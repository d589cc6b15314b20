import type { JsonObject } from "../../model/call.ts";
import { objectOf, optionalText, textOf } from "../hook/fields.ts";
import { SILENCE, stopOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";
import { mapCall } from "../hook/map_call.ts";

/** Grok Build's hooks: JSON and exit status 2 stop a call. */
export const hook: HookProtocol = { read, sends, render };

/** True for an event with the members that Grok Build writes in its own spelling, beside those of Claude Code. */
function sends(event: JsonObject): boolean {
  return ["toolName", "toolInput", "workspaceRoot", "toolInputTruncated"]
    .every((name) => Object.hasOwn(event, name));
}

function read(event: JsonObject): AgentEvent {
  for (const name of ["hook_event_name", "hookEventName"]) {
    // It has the event's name in its own spelling and in Claude Code's.
    const text = optionalText(event, [name]);
    if (text !== undefined && !["PreToolUse", "pre_tool_use"].includes(text)) {
      throw new EventFault(`the event "${text}" is not PreToolUse`);
    }
  }
  const truncated = ["toolInputTruncated", "tool_input_truncated"].map((name) => event[name]);
  if (truncated.some((each) => each !== undefined && each !== null && each !== false)) {
    throw new EventFault("the tool's input was cut off");
  }
  const cwd = optionalText(event, ["cwd"]);
  const project = optionalText(event, ["workspaceRoot", "workspace_root"]);
  const mapped = mapCall("grok", {
    tool: textOf(event, ["toolName", "tool_name"]),
    input: objectOf(event, ["toolInput", "tool_input"]),
    cwd: cwd ?? project,
  });
  const mode = optionalText(event, ["permissionMode", "permission_mode"]);
  return {
    name: "PreToolUse",
    ...mapped,
    ...(mode === "plan" ? { mode } : {}),
    folders: project === undefined ? [] : [project],
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function render(response: HookResponse): HookOutput {
  const { decision, reason } = response;
  if (decision !== "deny") return SILENCE;
  return { ...stopOutput(response), stdout: JSON.stringify({ decision, reason }) + "\n" };
}
