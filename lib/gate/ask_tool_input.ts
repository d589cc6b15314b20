import type { Stage } from "./stage.ts";
import { toolContext } from "./tool_context.ts";

/** What the tool itself finds wrong with an input that its schema takes. */
export const askToolInput: Stage = {
  name: "tool-input",
  concerns: (_passing, { tool }) => tool?.validateInput !== undefined,
  async run(passing, scene) {
    const { call } = passing;
    const fault: unknown = await scene.tool?.validateInput?.(call.input, toolContext(call, scene));
    if (fault === undefined) return { kind: "goes-on", passing, result: "passes", reason: "" };
    const reason = typeof fault === "string"
      ? fault
      : `what ${call.tool} says about its input is neither a text nor undefined`;
    return { kind: "denied", passing, by: "tool", reason };
  },
};
