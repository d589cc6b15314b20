import type { Action } from "../model/action.ts";
import type { Glob } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { parseInstant } from "../text/instant.ts";
import type { AuditEntry } from "./audit_entry.ts";

/** Which entries are wanted; what is left out lets every entry through. */
export interface AuditFilter {
  /** The first moment, in ms since 1970-01-01T00:00Z. */
  readonly since?: number;
  /** The moment behind the last, in ms since 1970-01-01T00:00Z. */
  readonly until?: number;
  /** One of these fits the tool's name; empty for every tool. */
  readonly tools: readonly Glob[];
  /** What happened is one of these; empty for all three. */
  readonly actions: readonly Action[];
}

/** A moment, or why a text is none. */
export type TimeResult =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly detail: string };

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** Whether an entry is wanted. */
export function isWanted(entry: AuditEntry, filter: AuditFilter): boolean {
  const { since = -Infinity, until = Infinity, tools, actions } = filter;
  const time = parseInstant(entry.time);
  if (!time.ok || time.value < since || time.value >= until) return false;
  if (actions.length > 0 && !actions.includes(entry.decision)) return false;
  return tools.length === 0 || tools.some((glob) => matchGlob(glob, entry.tool));
}

/** Reads `2h` (before `now`, in ms since 1970), a date (its first moment in UTC) or an RFC 3339 time. Never throws. */
export function readTime(text: string, now: number): TimeResult {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return { ok: true, value: now - Number(count) * (UNITS[unit] ?? 0) };
  const instant = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (instant.ok || /^\d{4}-\d{2}-\d{2}/.test(text)) return instant;
  return { ok: false, detail: 'expected "2h", "2026-11-22" or "2026-11-22T08:00:00Z"' };
}
