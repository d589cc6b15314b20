import type { ToolCall } from "../model/call.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { commandLine } from "../text/quote.ts";

/** The command that checks a call; a POSIX shell reads it back. */
export function callCommand({ tool, input, cwd }: ToolCall, profiles: ToolProfiles): string {
  const first = profiles.get(tool).firstArg?.[0];
  const keys = Object.keys(input);
  const value = first === undefined || keys.length !== 1 ? undefined : input[first];
  // What begins with a dash is a flag, and what begins with a brace is JSON.
  const word = typeof value === "string" && /^[^-{]/.test(value) ? value : JSON.stringify(input);
  const words = keys.length === 0 ? [] : [word];
  const place = cwd === undefined ? [] : ["--cwd", cwd];
  return commandLine(["caliban", "check", tool, ...words, ...place]);
}
