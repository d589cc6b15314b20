import { type Answer, type EventAnswer, stricter } from "../../agents/hook/answer_event.ts";
import type { AgentEvent, HookDecision } from "../../agents/hook/hook_protocol.ts";
import type { AgentName } from "../../agents/registry.ts";
import { auditPath } from "../../audit/audit_place.ts";
import { auditLine, type AuditMeta } from "../../audit/audit_record.ts";
import { openAuditLog } from "../../io/audit/audit_log.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { JsonObject } from "../../model/call.ts";
import type { Decision } from "../../model/verdict.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { warn } from "../output/print.ts";

/** The requirements of a hook that logs its decisions. */
export interface HookLog {
  /** The folder of the audit log; absent where nothing is to be written. */
  readonly writes?: string;
  /** Remarks for people, one sentence each. */
  readonly notes: readonly string[];
}

const NO_FOLDER = "decisions are not logged: neither XDG_STATE_HOME nor HOME is set";

const HAS_COMMA =
  "decisions are not logged: the path of the audit log has a comma, which a permission flag cannot express";

/** The requirements of a hook that logs its decisions; empty unless the policy enables the audit log. */
export function hookLog(policy: Pick<CompiledPolicy, "settings">, runtime: Runtime): HookLog {
  if (policy.settings.auditLog?.value !== true) return { notes: [] };
  const folder = logFolder(runtime);
  if (folder === undefined) return { notes: [NO_FOLDER] };
  // Deno ends a path at a comma, and has no way to write one.
  return folder.includes(",") ? { notes: [HAS_COMMA] } : { writes: folder, notes: [] };
}

/** The folder of the audit log; undefined when the environment names none. For POSIX paths. */
export function logFolder(runtime: Runtime): string | undefined {
  const path = auditPath({ platform: runtime.platform, env: (name) => runtime.env(name) });
  return path?.slice(0, path.lastIndexOf("/"));
}

/** An event that was answered. */
export interface LoggedEvent extends Omit<AnsweredEvent, "meta"> {
  /** The agent that sent it. */
  readonly agent: AgentName;
  /** The agent whose hook it came to. */
  readonly installed: AgentName;
  /** The event as it came. */
  readonly raw: JsonObject;
  /** The decoded event; every call names its folder. */
  readonly event: AgentEvent;
}

/** Appends the answers to the audit log. If logging fails, it warns on stderr once. */
export async function logEvent(
  { agent, installed, raw, event, ...answered }: LoggedEvent,
  runtime: Runtime,
): Promise<void> {
  const remedy = `"caliban hook install ${installed}" gives the hook the permission`;
  const log = openAuditLog(runtime, { hint: remedy });
  const session = eventSession(raw);
  const meta = { time: runtime.now(), agent, ...(session === undefined ? {} : { session }) };
  for (const line of eventLines(event, { ...answered, meta })) {
    const warning = await log.append(line);
    if (warning === undefined) continue;
    await warn(runtime, { message: warning });
    return;
  }
}

/** An event with its answer. */
interface AnsweredEvent {
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

/** The decision with its effect on the agent: a question that no person could be asked was a deny. */
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
