import type { Json } from "../../model/call.ts";
import type { Capabilities } from "../profile.ts";
import type { HookDecision } from "./hook_protocol.ts";
import { isJsonObject } from "../../text/json_value.ts";

/** The end of a hook's process. */
export interface HookOutcome {
  /** The exit status; undefined where it was killed or not started. */
  readonly status: number | undefined;
  readonly stdout: string;
}

/** The answer as an agent understands it. `fault`: no valid answer; most agents then run the call. Total. */
export function understoodDecision(
  { status, stdout }: HookOutcome,
  { exitTwo }: Capabilities,
): HookDecision | "fault" {
  if (status === 2) return exitTwo === "stops" ? "deny" : "fault";
  if (status !== 0) return "fault";
  if (stdout.trim() === "") return "silence";
  const answer = parseJson(stdout);
  if (!isJsonObject(answer)) return "fault";
  const { hookSpecificOutput: specific } = answer;
  const inner = isJsonObject(specific) ? specific : {};
  const request = isJsonObject(inner["decision"]) ? inner["decision"] : {};
  const decision = answer["permission"] ?? answer["permissionDecision"] ??
    inner["permissionDecision"] ?? request["behavior"] ?? answer["decision"];
  switch (decision) {
    case undefined:
    case "none":
      return "silence";
    case "allow":
    case "deny":
    case "ask":
      return decision;
    case "force_ask":
      return "ask";
    default:
      return "fault";
  }
}

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
