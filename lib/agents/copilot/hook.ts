import type { JsonObject } from "../../model/call.ts";
import type { AgentEvent, Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { checkEvent } from "../claude_event.ts";
import { objectOf, optionalText, textOf } from "../event_fields.ts";
import { mapCall } from "../map_call.ts";
import { claudeDecision, jsonReply, SILENCE } from "../replies.ts";

/** Its own form of the event has no name in it. */
const OWN = "preToolUse";

const CAPABILITIES: Capabilities = {
  allow: "grants",
  ask: "prompts",
  silence: "judges",
  exitTwo: "nothing",
  waitMs: 30_000,
  folder: "cwd",
  unseen: [],
};

/** Copilot CLI's hooks: JSON on standard output; other than by that nothing is stopped. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject): AgentEvent {
  const name = optionalText(event, ["hook_event_name", "hookEventName"]) ?? OWN;
  checkEvent(name, [OWN, "PreToolUse"]);
  const cwd = optionalText(event, ["cwd"]);
  const { calls, readings } = mapCall("copilot", {
    tool: textOf(event, ["toolName", "tool_name"]),
    input: objectOf(event, ["toolArgs", "tool_args", "tool_input", "toolInput"]),
    cwd,
  });
  return { name, calls, readings, folders: [], ...(cwd === undefined ? {} : { cwd }) };
}

function reply(saying: Saying): Reply {
  const { emission, reason, event } = saying;
  if (emission === "silence") return SILENCE;
  const own = { permissionDecision: emission, permissionDecisionReason: reason };
  // The editor takes the form of Claude Code, under that form's name of the event.
  return jsonReply(
    event === OWN ? own : { ...own, ...claudeDecision(emission, reason) },
  );
}
