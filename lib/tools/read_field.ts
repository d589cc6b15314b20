import type { Json, JsonObject } from "../model/call.ts";

/**
 * The value at a dotted path, own members only; undefined when there is none. A member whose name has the dots in it
 * counts where the path leads nowhere.
 */
export function readField(input: JsonObject, key: string): Json | undefined {
  const direct = own(input, key);
  let value: Json | undefined = input;
  for (const name of key.split(".")) {
    value = isObject(value) ? own(value, name) : undefined;
  }
  return value === undefined ? direct : value;
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
