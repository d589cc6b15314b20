import type { JsonObject } from "../../model/call.ts";
import type { AgentEvent, Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { objectOf, textOf, textsOf } from "../event_fields.ts";
import { mapCall } from "../map_call.ts";
import { jsonReply } from "../replies.ts";

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "prompts",
  silence: "judges",
  exitTwo: "nothing",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** Antigravity's hooks. What is malformed has a person asked, and so has silence. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject): AgentEvent {
  const folders = textsOf(event, ["workspacePaths"]);
  const call = objectOf(event, ["toolCall"]);
  const cwd = folders[0];
  const { calls, readings } = mapCall("antigravity", {
    tool: textOf(call, ["name"]),
    input: objectOf(call, ["args"]),
    cwd,
  });
  const [first] = calls;
  return { name: "PreToolUse", calls, readings, folders, ...placeOf(first?.cwd ?? cwd) };
}

function placeOf(cwd: string | undefined): Pick<AgentEvent, "cwd"> {
  return cwd === undefined ? {} : { cwd };
}

function reply({ emission, reason }: Saying): Reply {
  switch (emission) {
    case "silence":
    case "allow":
      return jsonReply({});
    case "deny":
      return jsonReply({ decision: "deny", reason });
    case "ask":
      // Its `ask` is answered by what a person once said; only this one always asks.
      return jsonReply({ decision: "force_ask", reason });
  }
}
