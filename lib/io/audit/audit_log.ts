import { auditPath } from "../../audit/audit_place.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** The audit log of one machine. */
export interface AuditLog {
  /** Its path; undefined if the environment names no folder for it. */
  readonly path: string | undefined;
  /**
   * Appends one line of `auditLine`, then rotates a full log, which takes seconds once in 100 MiB: answer the agent first.
   * Returns a warning (one sentence without a final full stop) if either failed; decisions are unaffected. Never throws for
   * a failure of the machine.
   */
  append(line: string): Promise<string | undefined>;
}

export interface AuditLogOptions {
  /** Its absolute path, instead of the one that the environment names. */
  readonly path?: string;
  /** The size in bytes from which it is full; 100 MiB by default. */
  readonly full?: number;
  /** The end of the warning if a permission of the runtime is missing: a clause that says what to do; none by default. */
  readonly hint?: string;
}

const FULL = 100 * 1024 * 1024;

/** Opens the audit log; nothing is read or written yet. Throws FileError `missing-flag` without --allow-env. */
export function openAuditLog(runtime: Runtime, options: AuditLogOptions = {}): AuditLog {
  const path = options.path ??
    auditPath({ platform: runtime.platform, env: (name) => runtime.env(name) });
  const { full = FULL, hint: ending } = options;
  return { path, append: (line) => appended(runtime, { path, full, line, hint: ending }) };
}

interface Appending {
  readonly path: string | undefined;
  readonly full: number;
  readonly line: string;
  readonly hint: string | undefined;
}

async function appended(
  runtime: Runtime,
  { path, full, line, hint: ending }: Appending,
): Promise<string | undefined> {
  if (path === undefined) {
    const names = runtime.platform === "windows"
      ? "LOCALAPPDATA nor USERPROFILE"
      : "XDG_STATE_HOME nor HOME";
    return `Cannot write the audit log: neither ${names} is set to an absolute path`;
  }
  try {
    if (await runtime.append(path, line) < full) return undefined;
    // Loads the Node layer, which only this needs.
    const { rotateAudit } = await import("./rotate_audit.ts");
    await rotateAudit(path, { runtime, full });
    return undefined;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const hint = error.fault === "missing-flag" && ending !== undefined ? `; ${ending}` : "";
    return `The audit log is not written: ${error.message}${hint}`;
  }
}
