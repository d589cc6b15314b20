import type { JsonObject } from "../../model/call.ts";
import type { AgentEvent, Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { EventFault } from "../event_fault.ts";
import { objectOf, optionalText, textOf } from "../event_fields.ts";
import { mapCall } from "../map_call.ts";
import { SILENCE, stopReply } from "../replies.ts";

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "stops",
  // What it waits when its settings name no time; ours name more, for a machine that is slow.
  waitMs: 5000,
  folder: "project",
  unseen: [{ what: "a call whose input was cut off cannot be judged, and is denied" }],
};

/** Grok Build's hooks: JSON and exit status 2 stop a call. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject): AgentEvent {
  const truncated = ["toolInputTruncated", "tool_input_truncated"].map((name) => event[name]);
  if (truncated.some((each) => each !== undefined && each !== null && each !== false)) {
    throw new EventFault("the tool's input was cut off");
  }
  const cwd = optionalText(event, ["cwd"]);
  const project = optionalText(event, ["workspaceRoot", "workspace_root"]);
  const { calls, readings } = mapCall("grok", {
    tool: textOf(event, ["toolName", "tool_name"]),
    input: objectOf(event, ["toolInput", "tool_input"]),
    cwd: cwd ?? project,
  });
  return {
    name: "PreToolUse",
    calls,
    readings,
    folders: project === undefined ? [] : [project],
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function reply(saying: Saying): Reply {
  if (saying.emission !== "deny") return SILENCE;
  const stdout = JSON.stringify({ decision: "deny", reason: saying.reason }) + "\n";
  return { ...stopReply(saying), stdout };
}
