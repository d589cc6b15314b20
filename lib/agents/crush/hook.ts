import type { JsonObject } from "../../model/call.ts";
import { agentProfile } from "../profile.ts";
import { type ClaudeForm, readClaudeEvent } from "../hook/claude_form.ts";
import { objectOf, textOf } from "../hook/fields.ts";
import { jsonOutput, SILENCE, stopOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type EventSurroundings,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";

const FORM: ClaudeForm = {
  agent: "crush",
  events: ["PreToolUse"],
  projectVariable: "CRUSH_PROJECT_DIR",
  modes: {},
};

/** Crush's hooks. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject, { env }: EventSurroundings): AgentEvent {
  const tool = textOf(event, ["tool_name"]);
  const input = objectOf(event, ["tool_input"]);
  checkNames(tool, input);
  const named = { ...event, hook_event_name: textOf(event, ["event"]) };
  const mapped = readClaudeEvent(named, { form: FORM, env });
  if (tool !== "download") return mapped;
  const writes = mapped.calls.map((call) => ({ ...call, tool: "Write" }));
  return { ...mapped, calls: [...mapped.calls, ...writes] };
}

/** Throws EventFault for a field in another case: Crush reads `COMMAND` as `command`, and the last of them counts. */
function checkNames(tool: string, input: JsonObject): void {
  if (!Object.hasOwn(agentProfile("crush").tools, tool)) return;
  const other = Object.keys(input).find((name) => !/^[a-z\d_-]+$/.test(name));
  if (other !== undefined) {
    throw new EventFault(`${JSON.stringify(other)} is not a field of its tool`);
  }
}

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  const { decision, reason } = response;
  return decision === "deny" ? jsonOutput({ decision, reason }) : SILENCE;
}
