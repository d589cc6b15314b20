import { auditPath } from "../../audit/audit_place.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** The audit log of one machine. */
export interface AuditLog {
  /** Where it stands; undefined when the environment names no folder for it. */
  readonly path: string | undefined;
  /**
   * Appends one line of `auditLine`, then puts a full log away, which takes seconds once in 100 MiB: answer the agent
   * first. Gives a warning (one sentence without a final full stop) when either failed, which changes no decision. Never
   * throws for what the machine does.
   */
  append(line: string): Promise<string | undefined>;
}

/** How a log is kept. */
export interface AuditLogOptions {
  /** Its absolute path, instead of the one that the environment names. */
  readonly path?: string;
  /** The size in bytes from which it is full; 100 MiB when left out. */
  readonly full?: number;
  /** What to do where a permission of the runtime is missing, a clause that the warning ends with; none when left out. */
  readonly remedy?: string;
}

const FULL = 100 * 1024 * 1024;

/** Opens the audit log; nothing is read or written yet. Throws FileError `missing-flag` without --allow-env. */
export function openAuditLog(runtime: Runtime, options: AuditLogOptions = {}): AuditLog {
  const path = options.path ??
    auditPath({ platform: runtime.platform, env: (name) => runtime.env(name) });
  const { full = FULL, remedy } = options;
  return { path, append: (line) => appended(runtime, { path, full, line, remedy }) };
}

interface Appending {
  readonly path: string | undefined;
  readonly full: number;
  readonly line: string;
  readonly remedy: string | undefined;
}

async function appended(
  runtime: Runtime,
  { path, full, line, remedy }: Appending,
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
    const hint = error.fault === "missing-flag" && remedy !== undefined ? `; ${remedy}` : "";
    return `The audit log is not kept: ${error.message}${hint}`;
  }
}
