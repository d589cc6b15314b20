import { auditLine } from "../audit/audit_line.ts";
import type { AuditMeta } from "../audit/audit_entry.ts";
import type { Decision } from "../model/decision.ts";
import type { AgentEvent, Emission } from "./agent.ts";
import { type Answer, type EventAnswer, stricter } from "./answer_event.ts";

/** What was answered to an event, and what the log says besides. */
export interface AnsweredEvent {
  /** The answer. */
  readonly answer: EventAnswer;
  /** What the agent was told. */
  readonly emission: Emission;
  /** Why, as it was told. */
  readonly reason: string;
  /** When, for whom. */
  readonly meta: Omit<AuditMeta, "cwd">;
}

/** The lines of the audit log for an event: one for each of its calls, with what happened to the whole event. */
export function eventLines(
  event: Pick<AgentEvent, "calls" | "cwd">,
  { answer, emission, reason, meta }: AnsweredEvent,
): readonly string[] {
  return event.calls.map((call, index) => {
    const own = answer.each[index] ?? answer;
    const told = happened(stricter(own, answer), { emission, reason });
    return auditLine(told, call, { ...meta, cwd: call.cwd ?? event.cwd ?? "" });
  });
}

/** A decision as the agent was told: a question that nobody could be asked was a deny. */
function happened(
  { decision }: Answer,
  { emission, reason }: { readonly emission: Emission; readonly reason: string },
): Decision {
  if (emission !== "deny" || decision.decision === "deny") return decision;
  return { ...decision, decision: "deny", decidedBy: "headless", reason };
}
