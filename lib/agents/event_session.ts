import type { JsonObject } from "../model/call.ts";

/** What agents call the name of a session. */
const NAMES = ["session_id", "sessionId", "conversation_id", "conversationId"];

/** The agent's name for its session; undefined where the event has none. It decides nothing, so that an odd one is no fault. */
export function eventSession(event: JsonObject): string | undefined {
  return NAMES.flatMap((name) => {
    const value = Object.hasOwn(event, name) ? event[name] : undefined;
    return typeof value === "string" && value !== "" ? [value] : [];
  })[0];
}
