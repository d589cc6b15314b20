import { isObject, isSameJson } from "../hooks/same_json.ts";
import type { ToolCall } from "../model/call.ts";
import { frozenJson } from "./frozen_json.ts";
import type { ParsedInput } from "./gate_tool.ts";
import type { Stage } from "./stage.ts";

/** The call's input must be a JSON object, and what the tool's schema takes; it goes on as the schema made it. */
export const checkInput: Stage = {
  name: "input",
  concerns: () => true,
  async run(passing, { tool }) {
    const { call, fault } = passing;
    if (fault !== undefined) return { kind: "denied", passing, by: "tool", reason: fault };
    if (tool?.schema === undefined) {
      return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const parsed = await tool.schema.safeParse(call.input);
    if (parsed?.success !== true) {
      const reason = `the input is not what ${call.tool} takes${faultsIn(parsed)}`;
      return { kind: "denied", passing, by: "tool", reason };
    }
    const input = frozenJson(parsed.data);
    // What is no JSON, as a date, no rule could read: then they see the input as it was given.
    if (!isObject(input) || isSameJson(input, call.input)) {
      return { kind: "goes-on", passing, result: "passes", reason: "" };
    }
    const made: ToolCall = Object.freeze({ ...call, input });
    const reason = `the schema of ${call.tool} made another input of it`;
    return { kind: "goes-on", passing: { ...passing, call: made }, result: "passes", reason };
  },
};

/** How many faults are told. */
const MOST = 5;

/** What a schema found wrong: zod's issues, each with its place. */
function faultsIn(parsed: ParsedInput | undefined): string {
  const error = parsed?.error;
  if (!isRecord(error) || !Array.isArray(error.issues)) return "";
  const faults = error.issues.slice(0, MOST).flatMap((issue: unknown) => {
    if (!isRecord(issue) || typeof issue.message !== "string") return [];
    const path = Array.isArray(issue.path) ? issue.path.map(String).join(".") : "";
    return [path === "" ? issue.message : `${path}: ${issue.message}`];
  });
  return faults.length === 0 ? "" : `: ${faults.join("; ")}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
