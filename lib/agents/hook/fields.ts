import type { Json, JsonObject } from "../../model/call.ts";
import { EventFault } from "./hook_protocol.ts";
import { countNames, hasRepeatedName, MOST_NAMES } from "../../text/json_names.ts";
import { isJsonObject } from "../../text/json_value.ts";

/** The value under any of the names. Throws EventFault where two of them differ. */
export function fieldOf(object: JsonObject, names: readonly string[]): Json | undefined {
  const there = names.filter((name) => Object.hasOwn(object, name));
  const texts = new Set(there.map((name) => JSON.stringify(object[name])));
  if (texts.size > 1) throw new EventFault(`${there.map(inQuotes).join(" and ")} differ`);
  return there[0] === undefined ? undefined : object[there[0]];
}

/** The text under any of the names. Throws EventFault where there is none, or an empty one. */
export function textOf(object: JsonObject, names: readonly string[]): string {
  const text = optionalText(object, names);
  if (text === undefined) throw new EventFault(`${inQuotes(names[0] ?? "")} is missing`);
  return text;
}

/** The text under any of the names; undefined where it is missing, null or empty. Throws EventFault for anything else. */
export function optionalText(object: JsonObject, names: readonly string[]): string | undefined {
  const value = fieldOf(object, names);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new EventFault(`${inQuotes(names[0] ?? "")} is not a text`);
}

/** The texts of the list under any of the names; empty where it is missing. Throws EventFault for anything else. */
export function textsOf(object: JsonObject, names: readonly string[]): readonly string[] {
  const value = fieldOf(object, names);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new EventFault(`${inQuotes(names[0] ?? "")} is not a list`);
  return value.map((each: Json) => {
    if (typeof each === "string" && each !== "") return each;
    throw new EventFault(`${inQuotes(names[0] ?? "")} holds a value that is not a text`);
  });
}

/** The object under any of the names, plain or as JSON in a text. Throws EventFault where there is none. */
export function objectOf(object: JsonObject, names: readonly string[]): JsonObject {
  const value = fieldOf(object, names);
  const name = inQuotes(names[0] ?? "");
  if (value === undefined) throw new EventFault(`${name} is missing`);
  const plain = typeof value === "string" ? parseObject(value, name) : value;
  if (isJsonObject(plain)) return plain;
  throw new EventFault(`${name} is not an object`);
}

function parseObject(text: string, name: string): Json {
  if (countNames(text) > MOST_NAMES) {
    throw new EventFault(`${name} has more than ${MOST_NAMES} members`);
  }
  try {
    const value: Json = JSON.parse(text);
    if (!hasRepeatedName(text, value)) return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new EventFault(`${name} is not valid JSON`, { cause });
  }
  throw new EventFault(`${name} has an object with a duplicate key`);
}

function inQuotes(name: string): string {
  return `"${name}"`;
}
