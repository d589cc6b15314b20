import type { Json, JsonObject } from "../model/call.ts";

/** The deepest JSON that is read: no tool takes deeper input, and a recursive function would run out of stack. */
export const MAX_DEPTH = 200;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** True if a JSON text nests arrays and objects deeper than MAX_DEPTH. Call it before the text is parsed. */
export function isTooDeep(text: string): boolean {
  if (!hasMore(text, "{") && !hasMore(text, "[")) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}

/** True if a text has more brackets of a kind, in strings too, than half of the depth. */
function hasMore(text: string, bracket: string): boolean {
  let at = -1;
  for (let count = 0; count <= MAX_DEPTH / 2; count++) {
    at = text.indexOf(bracket, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The index of the quote that ends a string; the text's length without one. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** True if arrays and objects nest no deeper than MAX_DEPTH. */
export function isShallow(value: Json, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => isShallow(member, depth + 1));
}

/** True if two shallow values are the same JSON, with their keys in any order. */
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

/** True if a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A text in JSON's escapes: `\\uXXXX` for each UTF-16 code unit. */
export function jsonEscaped(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** An object whose members that may be undefined are optional, for `exactOptionalPropertyTypes`. */
export type Defined<T> =
  & { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The object without its undefined members, the others in their order. */
export function defined<T extends object>(object: T): Defined<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
