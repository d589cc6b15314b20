import type { JsonObject } from "../../model/call.ts";
import type { AgentEvent, Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { checkEvent } from "../claude_event.ts";
import { objectOf, optionalText, textOf } from "../event_fields.ts";
import { mapCall } from "../map_call.ts";
import { jsonReply, stopReply } from "../replies.ts";

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** What our own plugin in opencode is told; it throws for everything but silence. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject): AgentEvent {
  const name = textOf(event, ["hook_event_name"]);
  checkEvent(name, ["tool.execute.before"]);
  const cwd = optionalText(event, ["cwd"]);
  const project = optionalText(event, ["project"]);
  const { calls, readings } = mapCall("opencode", {
    tool: textOf(event, ["tool_name"]),
    input: objectOf(event, ["tool_input"]),
    cwd,
  });
  return {
    name,
    calls,
    readings,
    folders: project === undefined ? [] : [project],
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  const { emission, reason } = saying;
  return jsonReply(emission === "deny" ? { decision: "deny", reason } : { decision: "none" });
}
