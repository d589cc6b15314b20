import type { JsonObject } from "../../model/call.ts";
import type { AgentName } from "../registry.ts";
import { checkEvent } from "./claude_form.ts";
import { objectOf, optionalText, textOf } from "./fields.ts";
import { jsonOutput, stopOutput } from "./hook_output.ts";
import type { AgentEvent, HookOutput, HookProtocol, HookResponse } from "./hook_protocol.ts";
import { eventOfCall } from "./map_call.ts";

/** The differences between agents that run a module of ours. */
export interface PluginForm {
  readonly agent: AgentName;
  /** The agent's name of the event before a tool. */
  readonly event: string;
}

/** The protocol of our own module inside an agent. The module lets a call run after `none` alone; it asks the person after `ask`. */
export function pluginHook({ agent, event: known }: PluginForm): HookProtocol {
  return { read: (event) => readEvent(event, { agent, event: known }), render };
}

function readEvent(event: JsonObject, { agent, event: known }: PluginForm): AgentEvent {
  const name = textOf(event, ["hook_event_name"]);
  checkEvent(name, [known]);
  const cwd = optionalText(event, ["cwd"]);
  const project = optionalText(event, ["project"]);
  return eventOfCall(agent, {
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
  return jsonOutput(
    decision === "deny" || decision === "ask" ? { decision, reason } : { decision: "none" },
  );
}
