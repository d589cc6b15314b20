import { auditPath } from "../../audit/audit_place.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Policy } from "../../policy/compile/policy.ts";

/** What a hook needs to keep its decisions. */
export interface HookLog {
  /** The folder of the audit log; absent where nothing is to be written. */
  readonly writes?: string;
  /** What a person should know of it, one sentence each. */
  readonly notes: readonly string[];
}

const NO_FOLDER =
  "decisions are not kept: neither XDG_STATE_HOME nor HOME says where the audit log is";

const HAS_COMMA =
  "decisions are not kept: the path of the audit log has a comma, which no permission can name";

/** What a hook needs to keep its decisions: nothing, unless the policy has the audit log on. */
export function hookLog(policy: Pick<Policy, "settings">, runtime: Runtime): HookLog {
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
