import { type Action, isAction, type Json } from "../model/call.ts";
import { type Glob, matchGlob } from "../pattern/glob.ts";
import { parseInstant } from "../text/instant.ts";
import { isJsonObject } from "../text/json_value.ts";
import type { AuditRecord } from "./audit_record.ts";

/** The contents of one line of an audit log. */
export interface AuditLineRead {
  /** The entries; more than one if a writer was killed in the middle of its line. */
  readonly entries: readonly AuditRecord[];
  /** True if all of the line could be read. */
  readonly whole: boolean;
}

/**
 * The beginning of every entry. It occurs nowhere else, because quotes inside of JSON strings are escaped.
 */
const BEGINNING = '{"v":1,"time":"';

/**
 * Reads one line (without its newline); the opposite of `auditLine`. A line that a crash or a full disk cut short does not
 * spoil the next one. A blank line has no entry. Never throws.
 */
export function readAuditLine(line: string): AuditLineRead {
  if (line.trim() === "") return { entries: [], whole: true };
  const entry = parsed(line);
  if (entry !== undefined) return { entries: [entry], whole: true };
  const entries = piecesOf(line).flatMap((piece) => parsed(piece) ?? []);
  return { entries, whole: false };
}

/** The line cut before each beginning of an entry. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let start = line.indexOf(BEGINNING);
  while (start >= 0) {
    const next = line.indexOf(BEGINNING, start + 1);
    pieces.push(line.slice(start, next < 0 ? line.length : next));
    start = next;
  }
  return pieces;
}

function parsed(text: string): AuditRecord | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** True if the value has every member that readers of entries use. */
function isEntry(value: Json): value is Json & AuditRecord {
  if (!isJsonObject(value) || value.v !== 1) return false;
  const { time, cwd, tool, input, verdict, decision, decidedBy, reason, units } = value;
  if (typeof time !== "string" || !parseInstant(time).ok) return false;
  if (![cwd, tool, decidedBy, reason].every((each) => typeof each === "string")) return false;
  if (![verdict, decision].every((each) => typeof each === "string" && isAction(each))) {
    return false;
  }
  return isJsonObject(input) && Array.isArray(units) && units.every(isUnit);
}

function isUnit(value: Json): boolean {
  return isJsonObject(value) && typeof value.text === "string" && typeof value.tool === "string";
}

/** A filter of entries; a condition that is left out lets every entry through. */
export interface AuditFilter {
  /** The first moment, in ms since 1970-01-01T00:00Z. */
  readonly since?: number;
  /** The moment behind the last, in ms since 1970-01-01T00:00Z. */
  readonly until?: number;
  /** One of these matches the tool's name; empty for every tool. */
  readonly tools: readonly Glob[];
  /** The decision is one of these; empty for all three. */
  readonly actions: readonly Action[];
}

/** A time, or the reason why a text is not one. */
type TimeResult =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly detail: string };

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** True if an entry passes the filter. */
export function isWanted(entry: AuditRecord, filter: AuditFilter): boolean {
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
