import type { Json, JsonObject } from "../model/call.ts";
import type { ToolProfile } from "../model/tool_profile.ts";

/** A call's input, or why the text is none. */
export type ReadInput =
  | { readonly ok: true; readonly input: JsonObject }
  /** One sentence, or the end of one behind a colon; without a final full stop. */
  | { readonly ok: false; readonly detail: string };

/** Deeper JSON is refused: no tool takes it. */
const MAX_DEPTH = 200;

/**
 * The input that a text stands for: an object where it begins as JSON (`{"`), as on the command line; else the tool's first
 * argument, to the letter.
 */
export function callInput(text: string, profile: ToolProfile): ReadInput {
  if (/^\s*\{\s*"/.test(text) || /^\s*\{\s*\}\s*$/.test(text)) return jsonInput(text);
  const { name, firstArg } = profile;
  const first = firstArg?.[0];
  if (first !== undefined) return { ok: true, input: nested(first, text) };
  const why = firstArg === undefined ? "its first argument is not known" : "it has none";
  return {
    ok: false,
    detail: `the text cannot be the first argument of ${name}: ${why}; write the input as JSON`,
  };
}

/** A dotted first argument is a path into the input. */
function nested(name: string, text: string): JsonObject {
  const [last = name, ...rest] = name.split(".").reverse();
  return rest.reduce<JsonObject>((inner, key) => ({ [key]: inner }), { [last]: text });
}

function jsonInput(text: string): ReadInput {
  if (isTooDeep(text)) return { ok: false, detail: `JSON nested deeper than ${MAX_DEPTH}` };
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, input: value as JsonObject };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser's own sentence is another in every runtime.
    return { ok: false, detail: "it begins as JSON and is none" };
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[[{\]}]/g)) {
    depth += sign === "[" || sign === "{" ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
