import type { Json, JsonObject } from "../../model/call.ts";
import { EventFault } from "./hook_protocol.ts";

/** The limit of calls in an event: an agent waits only so long, and then runs them. */
export const MOST_CALLS = 1000;

/** An input with the texts of some fields as lists: each text as it is, and its words without quotes. */
export function listed(input: JsonObject, fields: readonly string[]): JsonObject {
  const lists = fields.flatMap((field): readonly (readonly [string, Json])[] => {
    const value = input[field];
    const texts = isTexts(value) ? value : [value];
    const all = texts.flatMap((text) => typeof text === "string" ? [text, ...wordsIn(text)] : []);
    return all.length > texts.length ? [[field, [...new Set(all)]]] : [];
  });
  return lists.length === 0 ? input : { ...input, ...Object.fromEntries(lists) };
}

/** The words of a text, with quotes and without, however the agent parts them; none for a single plain one. */
function wordsIn(text: string): readonly string[] {
  const words = [/[\s,]+/, /[\s,;:|(){}[\]]+/].flatMap((between) => text.split(between))
    .filter((word) => word !== "");
  const plain = words.map((word) => word.replace(/["'\\]/g, "")).filter((word) => word !== "");
  return plain.every((word) => word === text) ? [] : [...words, ...plain];
}

/**
 * The input of a search without the fields that have our name where the agent has another one: it may ignore them, and then
 * searches elsewhere, or more. None for an input without such fields.
 */
export function withoutStray(
  given: JsonObject,
  { input, ours, tool }: {
    readonly input: JsonObject;
    readonly ours: readonly string[];
    readonly tool: string;
  },
): readonly JsonObject[] {
  if (tool !== "Grep" && tool !== "Glob") return [];
  const stray = ["path", "glob"].filter((name) =>
    ours.includes(name) && Object.hasOwn(given, name)
  );
  if (stray.length === 0) return [];
  return [Object.fromEntries(Object.entries(input).filter(([name]) => !stray.includes(name)))];
}

/** The inputs of an input, one for each of the files that a field lists. */
export function spread(input: JsonObject, fields: readonly string[]): readonly JsonObject[] {
  let inputs: readonly JsonObject[] = [input];
  for (const ours of new Set(fields)) {
    const texts = input[ours];
    if (!LISTED.includes(ours) || !isTexts(texts) || texts.length === 0) continue;
    if (inputs.length * texts.length > MOST_CALLS) {
      throw new EventFault(`it names more than ${MOST_CALLS} files`);
    }
    inputs = inputs.flatMap((each) => texts.map((text) => ({ ...each, [ours]: text })));
  }
  return inputs;
}

const LISTED: readonly string[] = ["path", "glob", "pattern"];

/** The URLs in a text that says what to fetch: a word with `://`, and what begins with a scheme in it. */
export function urlsIn(input: JsonObject, field: string | undefined): readonly string[] {
  const text = field === undefined ? undefined : input[field];
  if (typeof text !== "string") return [];
  const words = text.split(/\s+/).filter((word) => word.includes("://"));
  const bare = words.flatMap((word) =>
    (word.match(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>()[\]{}`|\\]+/gi) ?? [])
      .map(withoutFullStop)
  );
  const urls = [...new Set([...words, ...bare])];
  if (urls.length > MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} URLs`);
  return urls;
}

/** A URL without the marks of a sentence at its end. */
function withoutFullStop(url: string): string {
  let end = url.length;
  while (end > 0 && ".,;:!?*_".includes(url[end - 1]!)) end--;
  return url.slice(0, end);
}

/** True for a list of texts. */
export function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
