import type { Json, JsonObject } from "../../model/call.ts";
import { hookReason } from "../../text/hook_reason.ts";
import { type MessageId, onOneLine } from "./read_message.ts";

/** JSON-RPC's codes of errors. */
export const CODE = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** A message as one line, without its newline. */
export function lineOf(message: JsonObject): string {
  return onOneLine(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

/** The response to a request that is not passed on; without an id for one that could not be read. */
export function errorLine(
  id: MessageId | null,
  { code, message }: { readonly code: number; readonly message: string },
): string {
  return lineOf({ id, error: { code, message: `caliban: ${message}` } });
}

/** The result of a call that is denied: the model reads the reason. */
export function denialLine(id: MessageId, reason: string): string {
  const text = hookReason(reason);
  return lineOf({ id, result: { content: [{ type: "text", text }], isError: true } });
}

/** A member of a JSON object; undefined for anything else. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** A method as a message quotes it: a long one is cut. */
export function shownMethod(method: string): string {
  return JSON.stringify(method.length > 100 ? `${method.slice(0, 100).toWellFormed()}…` : method);
}
