import { pathStyle, type Platform } from "../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../policy/sources/source.ts";
import { userFolder } from "../policy/sources/source_order.ts";

/** The environment that determines the place of the audit log. */
export interface AuditSurroundings {
  readonly platform: Platform;
  /** An environment variable; undefined when it is not set. */
  readonly env: (name: string) => string | undefined;
}

const NAME = "audit.jsonl";
const ROTATED = /^audit-(\d{8}T\d{9}Z)-[0-9a-f]{8}\.jsonl(\.gz)?$/;

/** Absolute path of the audit log; undefined when the environment names no folder for it. */
export function auditPath({ platform, env }: AuditSurroundings): string | undefined {
  const style = pathStyle(platform);
  const named = env(platform === "windows" ? "USERPROFILE" : "HOME") ?? "";
  const home = style.isAbsolute(named) ? named : undefined;
  const surroundings = { platform, env, home, workspace: "", cwd: "", options: NO_OPTIONS };
  const folder = platform === "windows"
    ? userFolder(surroundings, { variable: "LOCALAPPDATA", below: ["AppData", "Local"] })
    : userFolder(surroundings, { variable: "XDG_STATE_HOME", below: [".local", "state"] });
  return folder && style.join(folder, NAME);
}

/**
 * The name of a full log next to the one in use: its time (ms since 1970) and eight hexadecimal digits.
 */
export function rotatedName({ time, id }: { readonly time: number; readonly id: string }): string {
  const stamp = new Date(time).toISOString().replaceAll(/[-:.]/g, "");
  return `audit-${stamp}-${id}.jsonl`;
}

/**
 * The names of full logs in a folder, oldest first; of a log that exists twice, the text and not the archive.
 */
export function rotatedNames(names: readonly string[]): readonly string[] {
  const found = names.filter((name) => ROTATED.test(name)).toSorted();
  return found.filter((name) => !name.endsWith(".gz") || !found.includes(name.slice(0, -3)));
}

/** The time when a log was rotated, in ms since 1970-01-01T00:00Z: no entry in it is younger. */
export function rotatedAt(name: string): number {
  const stamp = ROTATED.exec(name)?.[1] ?? "";
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z$/.exec(stamp)?.slice(1);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] =
    parts?.map(Number) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}
