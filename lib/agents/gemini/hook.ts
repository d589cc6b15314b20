import type { JsonObject } from "../../model/call.ts";
import type { AgentEvent, Capabilities, EventSurroundings, Reply, Saying, Wire } from "../agent.ts";
import { type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { EventFault } from "../event_fault.ts";
import { isObject, textOf } from "../event_fields.ts";
import { jsonReply, SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = {
  agent: "gemini",
  events: ["BeforeTool"],
  projectVariable: "GEMINI_PROJECT_DIR",
  modes: {},
};

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** Gemini CLI's hooks before a tool, which run behind its own policy and can only stop a call. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject, { env }: EventSurroundings): AgentEvent {
  const { mcp_context: context } = event;
  if (context === undefined || context === null) {
    return readClaudeEvent(event, { form: FORM, env });
  }
  if (!isObject(context)) throw new EventFault('"mcp_context" is not an object');
  const name = `mcp__${textOf(context, ["server_name"])}__${textOf(context, ["tool_name"])}`;
  return readClaudeEvent({ ...event, tool_name: name }, { form: FORM, env });
}

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  const { emission, reason } = saying;
  return emission === "deny" ? jsonReply({ decision: "deny", reason }) : SILENCE;
}
