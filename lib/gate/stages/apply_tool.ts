import type { ToolCall } from "../../model/call.ts";
import type { ToolContext } from "../gate_parts.ts";
import type { GateContext, Stage } from "./stage.ts";

/** The tool's own check of an input that its schema accepts. */
export const checkToolInput: Stage = {
  name: "tool-input",
  concerns: (_passing, { tool }) => tool?.validateInput !== undefined,
  async run(passing, context) {
    const { call } = passing;
    const fault: unknown = await context.tool?.validateInput?.(
      call.input,
      toolContext(call, context),
    );
    if (fault === undefined) return { kind: "next", passing, result: "passes", reason: "" };
    const reason = typeof fault === "string"
      ? fault
      : `the answer of ${call.tool} about its input is neither a string nor undefined`;
    return { kind: "denied", passing, by: "tool", reason };
  },
};

/**
 * The tool's own opinion, asked for once. Its deny ends it, in every mode; its allow counts for no more than a hook's. A tool
 * that takes its time may ask anybody, so the rules are asked again.
 */
export const applyTool: Stage = {
  name: "tool-permissions",
  concerns: (passing, { tool }) =>
    tool?.checkPermissions !== undefined && passing.isToolAsked !== true,
  async run(before, context) {
    const passing = { ...before, isToolAsked: true } as const;
    const { call } = passing;
    const answer = context.tool?.checkPermissions?.(call.input, toolContext(call, context));
    const kind = isWaitedFor(answer) ? "again" : "next";
    const opinion = await answer;
    const decision = opinion?.decision;
    const reason = opinion?.reason ?? `${call.tool} says ${decision}`;
    switch (decision) {
      case "deny":
        return { kind: "denied", passing, by: "tool", reason };
      case "ask":
      case "allow":
        return {
          kind,
          passing: { ...passing, tool: { decision, reason } },
          result: decision,
          reason,
        };
      case "passthrough":
        return { kind, passing, result: "passes", reason: "" };
    }
    const unknown = `the answer of ${call.tool} about the call is not valid`;
    return { kind: "denied", passing, by: "tool", reason: unknown };
  },
};

/** True for a promise, and for anything else that is waited for as one. */
function isWaitedFor(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "then" in answer;
}

/** The context of a question to a tool. */
function toolContext(
  call: ToolCall,
  { policy, signal }: Pick<GateContext, "policy" | "signal">,
): ToolContext {
  return { call, cwd: call.cwd ?? policy.cwd, ...(signal === undefined ? {} : { signal }) };
}
