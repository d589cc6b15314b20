import type { ToolCall } from "../model/call.ts";
import type { ToolContext } from "./gate_tool.ts";
import type { Scene } from "./stages/stage.ts";

/** What goes with a question to a tool. */
export function toolContext(
  call: ToolCall,
  { policy, signal }: Pick<Scene, "policy" | "signal">,
): ToolContext {
  return { call, cwd: policy.request(call).cwd, ...(signal === undefined ? {} : { signal }) };
}
