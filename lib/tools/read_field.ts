import type { Json, JsonObject } from "../model/call.ts";

/** What stands at a dotted path; `unclear` when that cannot be said: an array on the way, or two values for it. */
export type FieldValue =
  | { readonly state: "value"; readonly value: Json }
  | { readonly state: "missing" }
  | { readonly state: "unclear"; readonly detail: string };

/**
 * The value at a dotted path, own members only. A member whose name has the dots in it counts too; where both are there
 * they must agree.
 */
export function readField(input: JsonObject, key: string): FieldValue {
  let value: Json | undefined = input;
  for (const name of key.split(".")) {
    if (Array.isArray(value)) {
      return { state: "unclear", detail: `"${key}" leads through an array` };
    }
    value = isObject(value) ? own(value, name) : undefined;
  }
  const direct = key.includes(".") ? own(input, key) : undefined;
  if (value !== undefined && direct !== undefined && value !== direct) {
    return { state: "unclear", detail: `"${key}" is there twice` };
  }
  const found = value === undefined ? direct : value;
  return found === undefined ? { state: "missing" } : { state: "value", value: found };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
