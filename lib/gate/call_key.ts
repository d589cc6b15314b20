import type { Json, ToolCall } from "../model/call.ts";

/** One text for every spelling of the same call in the same folder. */
export function callKey({ tool, input }: ToolCall, cwd: string): string {
  return JSON.stringify([tool, cwd, sorted(input)]);
}

function sorted(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return ["list", ...value.map(sorted)];
  // As a list of its members: an object would put those whose names are numbers first.
  const members = Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1);
  return ["object", ...members.map(([key, member]): Json => [key, sorted(member)])];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
