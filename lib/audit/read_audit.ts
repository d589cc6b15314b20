import { isAction } from "../model/action.ts";
import type { Json, JsonObject } from "../model/call.ts";
import { parseInstant } from "../text/instant.ts";
import type { AuditEntry } from "./audit_entry.ts";

/** What stands in one line of an audit log. */
export interface AuditLineRead {
  /** The entries; more than one where a writer was killed in the middle of its line. */
  readonly entries: readonly AuditEntry[];
  /** Whether all of the line could be read. */
  readonly whole: boolean;
}

/** How every entry begins. Inside of JSON strings quotes are escaped, so that it stands nowhere else. */
const BEGINNING = '{"v":1,"time":"';

/**
 * Reads one line (without its newline); the opposite of `auditLine`. What a crash or a full disk left of a line does not
 * take the line written behind it along. A blank line has no entry. Never throws.
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

function parsed(text: string): AuditEntry | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether everything is there that a reader of entries goes by. */
function isEntry(value: Json): value is Json & AuditEntry {
  if (!isObject(value) || value.v !== 1) return false;
  const { time, cwd, tool, input, verdict, decision, decidedBy, reason, units } = value;
  if (typeof time !== "string" || !parseInstant(time).ok) return false;
  if (![cwd, tool, decidedBy, reason].every((each) => typeof each === "string")) return false;
  if (![verdict, decision].every((each) => typeof each === "string" && isAction(each))) {
    return false;
  }
  return isObject(input) && Array.isArray(units) && units.every(isUnit);
}

function isUnit(value: Json): boolean {
  return isObject(value) && typeof value.text === "string" && typeof value.tool === "string";
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
