import { auditLine } from "../../lib/audit/audit_record.ts";
import { decisionOf } from "../unit/audit/decisions.ts";

/** The line of an entry about a command, at a time in ms since 1970-01-01T00:00Z. */
export function entryOf(command: string, time: number): string {
  const call = { tool: "Bash", input: { command } };
  return auditLine(decisionOf(call, [{ text: command }]), call, { time, cwd: "/" });
}
