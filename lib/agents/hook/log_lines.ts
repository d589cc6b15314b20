import { auditLine, type AuditMeta } from "../../audit/audit_record.ts";
import type { JsonObject } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import { type Answer, type EventAnswer, stricter } from "./answer_event.ts";
import type { AgentEvent, HookDecision } from "./hook_protocol.ts";

/** An event with its answer. */
export interface AnsweredEvent {
  readonly answer: EventAnswer;
  /** The answer that the agent got. */
  readonly hookDecision: HookDecision;
  /** The reason that the agent got. */
  readonly reason: string;
  readonly meta: Omit<AuditMeta, "cwd">;
}

/** The lines of the audit log for an event: one for each of its calls, with the outcome of the whole event. */
export function eventLines(
  event: Pick<AgentEvent, "calls" | "cwd">,
  { answer, meta, ...response }: AnsweredEvent,
): readonly string[] {
  return event.calls.map((call, index) => {
    const own = answer.each[index] ?? answer;
    const outcome = outcomeOf(stricter(own, answer), response);
    return auditLine(outcome, call, { ...meta, cwd: call.cwd ?? event.cwd ?? "" });
  });
}

/** The decision with its effect on the agent: a question that nobody could be asked was a deny. */
function outcomeOf(
  { decision }: Answer,
  { hookDecision, reason }: Pick<AnsweredEvent, "hookDecision" | "reason">,
): Decision {
  if (hookDecision !== "deny" || decision.decision === "deny") return decision;
  return { ...decision, decision: "deny", decidedBy: "headless", reason };
}

/** The agents' names of the field for a session. */
const SESSION_FIELDS = ["session_id", "sessionId", "conversation_id", "conversationId"];

/** The agent's name for its session; undefined where the event has none, or no text. No decision depends on it. */
export function eventSession(event: JsonObject): string | undefined {
  return SESSION_FIELDS.flatMap((name) => {
    const value = Object.hasOwn(event, name) ? event[name] : undefined;
    return typeof value === "string" && value !== "" ? [value] : [];
  })[0];
}
