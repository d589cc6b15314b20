import type { JsonObject } from "../../model/call.ts";
import { checkEvent } from "../hook/claude_form.ts";
import { objectOf, optionalText, textOf } from "../hook/fields.ts";
import { jsonOutput, stopOutput } from "../hook/hook_output.ts";
import type { AgentEvent, HookOutput, HookProtocol, HookResponse } from "../hook/hook_protocol.ts";
import { eventOfCall } from "../hook/map_call.ts";

/** The protocol of our own plugin in opencode. It throws for every answer but silence. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
  const name = textOf(event, ["hook_event_name"]);
  checkEvent(name, ["tool.execute.before"]);
  const cwd = optionalText(event, ["cwd"]);
  const project = optionalText(event, ["project"]);
  return eventOfCall("opencode", {
    name,
    cwd,
    tool: textOf(event, ["tool_name"]),
    input: objectOf(event, ["tool_input"]),
    folders: project === undefined ? [] : [project],
  });
}

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  const { decision, reason } = response;
  return jsonOutput(decision === "deny" ? { decision, reason } : { decision: "none" });
}
