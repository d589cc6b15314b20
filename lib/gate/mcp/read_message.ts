import type { Json, JsonObject } from "../../model/call.ts";
import { foldCase, visibleName } from "../../pattern/unicode.ts";
import { hasRepeatedName } from "../../text/json_names.ts";
import { isJsonObject, isTooDeep, jsonEscaped, MAX_DEPTH } from "../../text/json_value.ts";

/** The name of a request, by which its response is found. */
export type MessageId = string | number;

/** A message of JSON-RPC. `text` is the message on one line, as it goes on. */
export type Message =
  & { readonly text: string; readonly value: JsonObject }
  & (
    | { readonly kind: "request"; readonly id: MessageId; readonly method: string }
    | { readonly kind: "notification"; readonly method: string }
    | { readonly kind: "response"; readonly id: MessageId }
  );

/** A line that is no message; `ids` are the requests in it that wait for a response. */
export interface Unread {
  readonly kind: "unread";
  /** Its fault, in one sentence without a final full stop. */
  readonly why: string;
  readonly ids: readonly MessageId[];
}

/** The longest line that is read, in bytes. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024;

/** The longest id, in UTF-16 code units. */
const LONGEST_ID = 1_000;

/**
 * Reads a line of either side; null is one that is too long, undefined comes back for a blank one. INVARIANT: every reader of
 * JSON finds the same message in `text`, so that what is decided is what runs: nothing is repeated, no name is spelt in
 * another case, and no character ends a line for one reader and not for another.
 */
export function readMessage(bytes: Uint8Array | null): Message | Unread | undefined {
  if (bytes === null) return unread(`it has more than ${LONGEST_MESSAGE} bytes`);
  const text = decoded(bytes);
  if (text === undefined) return unread("it is not UTF-8");
  if (/^[ \t\r]*$/.test(text)) return undefined;
  if (isTooDeep(text)) return unread(`it is nested deeper than ${MAX_DEPTH}`);
  const value = parsed(text);
  if (value === undefined) return unread("it is not JSON");
  if (hasRepeatedName(text, value)) return unread("an object has a duplicate key", value);
  if (!isJsonObject(value)) {
    const isBatch = Array.isArray(value);
    return unread(isBatch ? "batches are not passed on" : "it is not a JSON object", value);
  }
  const fault = faultOf(value);
  return fault === undefined ? messageOf(value, onOneLine(text)) : unread(fault, value);
}

function unread(why: string, value: Json = null): Unread {
  const each: readonly Json[] = Array.isArray(value) ? value.slice(0, MOST_IDS) : [value];
  const ids = each.flatMap((one) =>
    isJsonObject(one) && Object.hasOwn(one, "method") && isId(one.id) ? [one.id] : []
  );
  return { kind: "unread", why, ids };
}

/** The most requests of a line that are answered. */
const MOST_IDS = 100;

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The names of a message's members. */
const MEMBERS: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

function faultOf(value: JsonObject): string | undefined {
  const other = imitation(Object.keys(value), MEMBERS);
  if (other !== undefined) return `${JSON.stringify(other)} is another spelling of a member`;
  if (value.jsonrpc !== "2.0") return '"jsonrpc" is not "2.0"';
  const { id, method } = value;
  if (id !== undefined && !isId(id)) return '"id" is neither a string nor a whole number';
  const answers = ["result", "error"].filter((name) => Object.hasOwn(value, name)).length;
  if (method === undefined) {
    return answers === 1 && id !== undefined ? undefined : "it is neither a request nor a response";
  }
  if (typeof method !== "string") return '"method" is not a string';
  return answers === 0 ? undefined : "it is a request and a response";
}

/** The first name that some readers take for one of those that are known. */
export function imitation(
  names: readonly string[],
  known: ReadonlySet<string>,
): string | undefined {
  const folded = new Set([...known].map((name) => foldCase(name)));
  return names.find((name) => !known.has(name) && folded.has(foldCase(visibleName(name))));
}

function messageOf(value: JsonObject, text: string): Message | Unread {
  const { id, method } = value;
  if (typeof method !== "string") {
    return isId(id) ? { kind: "response", id, text, value } : unread("it has no id");
  }
  return isId(id)
    ? { kind: "request", id, method, text, value }
    : { kind: "notification", method, text, value };
}

function isId(id: Json | undefined): id is MessageId {
  return typeof id === "string" ? id.length <= LONGEST_ID : Number.isSafeInteger(id);
}

/** An id as a key: a text and a number of the same digits are two. */
export function idKey(id: MessageId): string {
  return JSON.stringify(id);
}

/** JSON on one line for every reader: some take a carriage return and separators of Unicode for line ends too. */
export function onOneLine(json: string): string {
  return json.trim().replaceAll(/[\r\n]/g, " ").replaceAll(/[\x85\u2028\u2029]/g, jsonEscaped);
}

/**
 * The part of a call that readers of JSON take for different values: a number that is not exact, half a surrogate pair.
 * Undefined for a call without one.
 */
export function unsureValue(value: Json): string | undefined {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : "a string has half a surrogate pair";
  }
  if (typeof value === "number") {
    return !Number.isFinite(value) || Number.isInteger(value) && !Number.isSafeInteger(value)
      ? "a number is too large to be exact"
      : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const why = unsureValue(name) ?? unsureValue(member);
    if (why !== undefined) return why;
  }
  return undefined;
}
