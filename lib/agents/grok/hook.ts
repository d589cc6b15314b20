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
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
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
  return {
    name: "PreToolUse",
    ...mapped,
    folders: project === undefined ? [] : [project],
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function render(response: HookResponse): HookOutput {
  const { decision, reason } = response;
  if (decision !== "deny") return SILENCE;
  return { ...stopOutput(response), stdout: JSON.stringify({ decision, reason }) + "\n" };
}
