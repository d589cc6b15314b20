import type { Json, JsonObject } from "../model/call.ts";

/** Deeper values are taken for no tool's input. */
const MAX_DEPTH = 200;

/** Whether no more than 200 arrays and objects stand in each other. */
export function isShallow(value: Json, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => isShallow(member, depth + 1));
}

/** Whether two shallow values are the same JSON, whatever the order of the keys. */
export function isSameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false;
  }
  if (isList(one) || isList(other)) {
    return isList(one) && isList(other) && one.length === other.length &&
      one.every((member, index) => isSameJson(member, other[index]!));
  }
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key]!, other[key]!));
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
