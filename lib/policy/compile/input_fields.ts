import type { Json, JsonObject, ToolProfile } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";

/** A field of a call, as patterns see it. */
export type FieldText =
  | { readonly state: "text"; readonly text: string }
  /** The field is not there. */
  | { readonly state: "missing" }
  /** The tool is known to have no such argument. */
  | { readonly state: "none" }
  /** The field cannot be compared; `detail` says why. */
  | { readonly state: "unknown"; readonly detail: string };

/** A value as patterns see it: numbers and booleans as their JSON text. */
export function fieldText(value: Json, key: string): FieldText {
  if (typeof value === "string") return { state: "text", text: value };
  if (typeof value === "number" || typeof value === "boolean") {
    return { state: "text", text: JSON.stringify(value) };
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  return { state: "unknown", detail: `"${key}" is ${kind}` };
}

/** The value at a dotted path; `unclear` behind an array, and where two members have that path. */
type FieldValue =
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
      return { state: "unclear", detail: `"${key}" passes through an array` };
    }
    value = isJsonObject(value) ? own(value, name) : undefined;
  }
  const direct = key.includes(".") ? own(input, key) : undefined;
  if (value !== undefined && direct !== undefined && value !== direct) {
    return { state: "unclear", detail: `"${key}" appears twice` };
  }
  const found = value === undefined ? direct : value;
  return found === undefined ? { state: "missing" } : { state: "value", value: found };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The first argument of a call, in whichever spelling the call has it. */
export function firstField({ firstArg, name }: ToolProfile, input: JsonObject): FieldText {
  if (firstArg === undefined) {
    return { state: "unknown", detail: `the first argument of ${name} is unknown` };
  }
  if (firstArg.length === 0) return { state: "none" };
  const only = onlyText(firstArg, input);
  if (only !== undefined) return { state: "text", text: only };
  const fields = firstArg.map((key) => ({ key, field: readField(input, key) }));
  const unclear = fields.find(({ field }) => field.state === "unclear")?.field;
  if (unclear?.state === "unclear") return { state: "unknown", detail: unclear.detail };
  const found = fields.flatMap(({ key, field }) =>
    field.state === "value" ? [{ key, value: field.value }] : []
  );
  const [one, ...others] = found;
  if (one === undefined) return { state: "unknown", detail: `the call has no "${firstArg[0]}"` };
  const other = others.find(({ value }) => value !== one.value);
  if (other) return { state: "unknown", detail: `"${one.key}" and "${other.key}" differ` };
  if (typeof one.value !== "string") {
    return { state: "unknown", detail: `"${one.key}" is not a string` };
  }
  return { state: "text", text: one.value };
}

/** The text below one of some keys without a dot, if the input has none of the others. */
function onlyText(keys: readonly string[], input: JsonObject): string | undefined {
  let found: Json | undefined;
  for (const key of keys) {
    if (key.includes(".")) return undefined;
    const value = own(input, key);
    if (value === undefined) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return typeof found === "string" ? found : undefined;
}
