import type { JsonObject } from "../../model/call.ts";
import { objectOf, textOf, textsOf } from "../hook/fields.ts";
import { jsonOutput } from "../hook/hook_output.ts";
import type { AgentEvent, HookOutput, HookProtocol, HookResponse } from "../hook/hook_protocol.ts";
import { mapCall } from "../hook/map_call.ts";

/** Antigravity's hooks. After malformed output or silence it asks a person. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
  const folders = textsOf(event, ["workspacePaths"]);
  const call = objectOf(event, ["toolCall"]);
  const mapped = mapCall("antigravity", {
    tool: textOf(call, ["name"]),
    input: objectOf(call, ["args"]),
    cwd: folders[0],
  });
  const cwd = mapped.calls[0]?.cwd;
  return { name: "PreToolUse", ...mapped, folders, ...(cwd === undefined ? {} : { cwd }) };
}

function render({ decision, reason }: HookResponse): HookOutput {
  switch (decision) {
    case "silence":
    case "allow":
      return jsonOutput({});
    case "deny":
      return jsonOutput({ decision, reason });
    case "ask":
      // Antigravity may answer its own `ask` from memory; only `force_ask` always asks.
      return jsonOutput({ decision: "force_ask", reason });
  }
}
