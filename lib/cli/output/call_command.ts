import type { ToolCall } from "../../model/call.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { commandLine } from "../../text/quote.ts";

/** The command that checks a call; a POSIX shell reads it back. */
export function callCommand(call: ToolCall, profiles: ToolProfiles): string {
  const { tool, cwd } = call;
  const place = cwd === undefined ? [] : ["--cwd", cwd];
  return commandLine(["caliban", "check", tool, ...inputWords(call, profiles), ...place]);
}

/** The input of a call as words of a command line: none, its only argument if that is the first one, else JSON. */
export function inputWords(
  { tool, input }: ToolCall,
  profiles: ToolProfiles | undefined,
): readonly string[] {
  const first = profiles?.get(tool).firstArg?.[0];
  const keys = Object.keys(input);
  if (keys.length === 0) return [];
  const value = first === undefined || keys.length !== 1 ? undefined : input[first];
  // A word that begins with a dash would be read as a flag, and one that begins with a brace as JSON.
  return typeof value === "string" && /^[^-{]/.test(value) ? [value] : [JSON.stringify(input)];
}
