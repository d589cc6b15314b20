import type { Json } from "../model/call.ts";

/** The note in place of text that is left out: `[1 line left out]`. */
export function noteOf(count: number, noun: "character" | "line" | "item" | "member"): string {
  return `[${count} ${noun}${count === 1 ? "" : "s"} left out]`;
}

/** The note in place of a value that is left out. */
export function leftOut(value: Json): Json {
  if (typeof value === "string") return noteOf(value.length, "character");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return noteOf(value.length, "item");
  return noteOf(Object.keys(value).length, "member");
}
