import type { Json } from "../model/call.ts";
import type { Capabilities, Emission } from "./agent.ts";
import { isObject } from "./event_fields.ts";

/** How a hook ended, and what it printed. */
export interface HookOutcome {
  /** Its exit status; undefined where it was killed or not started. */
  readonly status: number | undefined;
  /** Its standard output. */
  readonly stdout: string;
}

/**
 * What an agent understands of a hook's outcome; `fault` where that is no answer at all, by which most agents run the call.
 * Total.
 */
export function replySays(
  { status, stdout }: HookOutcome,
  { exitTwo }: Capabilities,
): Emission | "fault" {
  if (status === 2) return exitTwo === "stops" ? "deny" : "fault";
  if (status !== 0) return "fault";
  if (stdout.trim() === "") return "silence";
  const answer = parsed(stdout);
  if (!isObject(answer)) return "fault";
  const { hookSpecificOutput: specific } = answer;
  const inner = isObject(specific) ? specific : {};
  const decision = isObject(inner["decision"]) ? inner["decision"] : {};
  const said = answer["permission"] ?? answer["permissionDecision"] ??
    inner["permissionDecision"] ?? decision["behavior"] ?? answer["decision"];
  switch (said) {
    case undefined:
    case "none":
      return "silence";
    case "allow":
    case "deny":
    case "ask":
      return said;
    case "force_ask":
      return "ask";
    default:
      return "fault";
  }
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
