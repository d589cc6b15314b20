import type { JsonObject } from "../../model/call.ts";
import { type ClaudeForm, readClaudeEvent } from "../hook/claude_form.ts";
import { textOf } from "../hook/fields.ts";
import { jsonOutput, silence, stopOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type EventSurroundings,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";
import { isJsonObject } from "../../text/json_value.ts";

const FORM: ClaudeForm = {
  agent: "gemini",
  events: ["BeforeTool"],
  projectVariable: "GEMINI_PROJECT_DIR",
  modes: {},
};

/** Gemini CLI's hooks before a tool. They run after its own policy and can only stop a call. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject, { env }: EventSurroundings): AgentEvent {
  const { mcp_context: context } = event;
  if (context === undefined || context === null) {
    return readClaudeEvent(event, { form: FORM, env });
  }
  if (!isJsonObject(context)) throw new EventFault('"mcp_context" is not an object');
  const name = `mcp__${textOf(context, ["server_name"])}__${textOf(context, ["tool_name"])}`;
  return readClaudeEvent({ ...event, tool_name: name }, { form: FORM, env });
}

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  const { decision, reason } = response;
  return decision === "deny" ? jsonOutput({ decision, reason }) : silence(response);
}
