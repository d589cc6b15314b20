import type { JsonObject } from "../model/call.ts";
import type { HookOutput } from "./hook_run.ts";
import { repeatsKey } from "./repeats_key.ts";
import { isObject, isShallow } from "./same_json.ts";

/** What a hook's standard output is. */
export type OutputText =
  /** Nothing, or text for people. */
  | { readonly kind: "text" }
  /** A JSON object. */
  | { readonly kind: "json"; readonly value: JsonObject }
  /** What may have been meant to decide, and why it cannot be read, without a final full stop. */
  | { readonly kind: "unreadable"; readonly detail: string };

/** Keys that stand in no text but one that was to decide. */
const DECIDING = /"(?:permissionDecision|hookSpecificOutput|updatedInput|decision|continue)"\s*:/;

/**
 * Reads what a hook wrote. Only text that cannot have been meant to decide is passed over: what begins with a brace, or
 * has a key of the protocol anywhere (behind a line that a shell's profile printed), is an object or unreadable.
 */
export function readOutput({ bytes, isCut }: HookOutput): OutputText {
  if (isCut) return { kind: "unreadable", detail: `it goes on after ${bytes.length} bytes` };
  const text = new TextDecoder().decode(bytes);
  // UTF-16, as some shells write it, has a NUL in every other place and begins with a mark.
  const plain = text.replaceAll("\0", "");
  const begins = /^[\s\ufeff\ufffd]*\{/.test(plain);
  if (!begins && !DECIDING.test(plain)) return { kind: "text" };
  if (!isUtf8(bytes)) return { kind: "unreadable", detail: "it is not UTF-8" };
  return readJson(text) ?? {
    kind: "unreadable",
    detail: begins ? "it is no JSON object" : "other text stands beside its JSON",
  };
}

/** What the text is as JSON; undefined when it is no object. */
function readJson(text: string): OutputText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    if (!isShallow(value)) return { kind: "unreadable", detail: "it is nested too deep" };
    if (repeatsKey(text)) return { kind: "unreadable", detail: "an object in it has a key twice" };
    return { kind: "json", value };
  } catch (error) {
    // A parser that calls itself runs out of stack with a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
