import { isObject } from "../agents/event_fields.ts";
import { countNames, hasRepeatedName, MOST_NAMES } from "../agents/repeated_name.ts";
import type { Runtime } from "../io/runtime.ts";
import type { Json, JsonObject } from "../model/call.ts";
import { InputError } from "./errors.ts";
import { isTooDeep, MAX_DEPTH } from "./json_depth.ts";

/** An event may have this many bytes: whole files stand in some. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The event on standard input. Throws InputError for what is no JSON object in UTF-8. */
export async function readEvent(runtime: Runtime): Promise<JsonObject> {
  const text = await readText(runtime);
  if (text.trim() === "") throw new InputError("Cannot read the event: standard input is empty");
  if (isTooDeep(text)) {
    throw new InputError(`Cannot read the event: it is nested deeper than ${MAX_DEPTH}`);
  }
  if (countNames(text) > MOST_NAMES) {
    throw new InputError(`Cannot read the event: it has more than ${MOST_NAMES} members`);
  }
  const value = parsed(text);
  if (hasRepeatedName(text, value)) {
    throw new InputError("Cannot read the event: an object in it has a name twice");
  }
  if (isObject(value)) return value;
  throw new InputError("Cannot read the event: it is no JSON object");
}

async function readText(runtime: Runtime): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let size = 0;
  try {
    for await (const chunk of runtime.stdin()) {
      size += chunk.length;
      if (size > MOST_BYTES) {
        throw new InputError(`Cannot read the event: it has more than ${MOST_BYTES} bytes`);
      }
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    parts.push(decoder.decode());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError("Cannot read the event: it is not UTF-8", { cause });
  }
  return parts.join("");
}

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // The parser's own sentence is left to the cause: every runtime has another.
    throw new InputError("Cannot read the event: it is no JSON", { cause });
  }
}
