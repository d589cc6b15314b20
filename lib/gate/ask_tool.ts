import type { Stage } from "./stage.ts";
import { toolContext } from "./tool_context.ts";

/** The tool's own opinion. Its deny ends it, in every mode; its allow counts for no more than a hook's. */
export const askTool: Stage = {
  name: "tool-permissions",
  concerns: (_passing, { tool }) => tool?.checkPermissions !== undefined,
  async run(passing, scene) {
    const { call } = passing;
    const opinion = await scene.tool?.checkPermissions?.(call.input, toolContext(call, scene));
    const decision = opinion?.decision;
    const reason = opinion?.reason ?? `${call.tool} says ${decision}`;
    switch (decision) {
      case "deny":
        return { kind: "denied", passing, by: "tool", reason };
      case "ask":
      case "allow":
        return {
          kind: "goes-on",
          passing: { ...passing, tool: { decision, reason } },
          result: decision,
          reason,
        };
      case "passthrough":
        return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const unknown = `what ${call.tool} says about the call is not understood`;
    return { kind: "denied", passing, by: "tool", reason: unknown };
  },
};
