import type { JsonObject, ToolCall } from "../../model/call.ts";
import { checkEvent } from "../hook/claude_form.ts";
import { fieldOf, objectOf, textOf, textsOf } from "../hook/fields.ts";
import { claudeDecision, jsonOutput, SILENCE, stopOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";
import { MOST_CALLS } from "../hook/listed_files.ts";
import { mapCall, UNNAMED_SERVER } from "../hook/map_call.ts";

/** Auggie's hooks. It looks at a deny alone. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
  const name = textOf(event, ["hook_event_name"]);
  checkEvent(name, ["PreToolUse"]);
  const folders = textsOf(event, ["workspace_roots"]);
  const tool = textOf(event, ["tool_name"]);
  const isServers = fieldOf(event, ["is_mcp_tool"]);
  if (typeof isServers !== "boolean") throw new EventFault('"is_mcp_tool" is not true or false');
  const [cwd] = folders;
  const input = objectOf(event, ["tool_input"]);
  const mapped = mapCall("auggie", {
    tool: isServers ? `${UNNAMED_SERVER}${tool}` : tool,
    input,
    cwd,
  });
  const calls = !isServers && tool === "remove-files"
    ? removals(mapped.calls, input)
    : mapped.calls;
  return { name, ...mapped, calls, folders, ...(cwd === undefined ? {} : { cwd }) };
}

/** A call for each file that is removed. Throws EventFault for none, or too many. */
function removals(calls: readonly ToolCall[], input: JsonObject): readonly ToolCall[] {
  const paths = textsOf(input, ["file_paths"]);
  if (paths.length === 0) throw new EventFault('"file_paths" is empty');
  if (paths.length > MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} files`);
  return calls.flatMap((call) => paths.map((path) => ({ ...call, input: { path } })));
}

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  const { decision, reason } = response;
  return decision === "deny" ? jsonOutput(claudeDecision(decision, reason)) : SILENCE;
}
