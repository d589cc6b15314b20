import type { AgentName } from "../agents/agent_name.ts";
import type { AgentEvent } from "../agents/agent.ts";
import { type AnsweredEvent, eventLines } from "../agents/event_lines.ts";
import { eventSession } from "../agents/event_session.ts";
import { openAuditLog } from "../io/audit/audit_log.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import type { JsonObject } from "../model/call.ts";
import { warn } from "./warn.ts";

/** An event that was answered. */
export interface LoggedEvent extends Omit<AnsweredEvent, "meta"> {
  /** The agent. */
  readonly agent: AgentName;
  /** The event as it came. */
  readonly raw: JsonObject;
  /** What was read from it; every call names its folder. */
  readonly event: AgentEvent;
}

/** Appends what was answered to the audit log. A log that is not kept is a warning on stderr, once. */
export async function logEvent(
  { agent, raw, event, ...answered }: LoggedEvent,
  runtime: Runtime,
): Promise<void> {
  const remedy = `"caliban hook install ${agent}" gives the hook the permission`;
  const log = openAuditLog(runtime, { remedy });
  const session = eventSession(raw);
  const meta = { time: runtime.now(), agent, ...(session === undefined ? {} : { session }) };
  for (const line of eventLines(event, { ...answered, meta })) {
    const warning = await log.append(line);
    if (warning === undefined) continue;
    await warn(runtime, { message: warning });
    return;
  }
}
