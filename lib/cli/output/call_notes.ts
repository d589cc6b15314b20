import type { ToolCall } from "../../model/call.ts";
import { onlyText } from "../../pattern/glob.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { toolNotes } from "../../policy/compile/tool_notes.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CallFault } from "../../report/decision_text.ts";
import { commandLine } from "../../text/quote.ts";

/** The note on the one tool that a pattern names. */
export function nameNotes(pattern: string, profiles: ToolProfiles): readonly string[] {
  const read = parsePattern(pattern);
  const tool = read.ok ? onlyText(read.value.tool) : undefined;
  return tool === undefined ? [] : toolNotes(tool, profiles);
}

/** The problem of the URL that is a call's first argument, with advice; undefined if it is well-formed. */
export function urlFault(request: Request): CallFault | undefined {
  const { first } = request;
  if (first.state !== "text") return undefined;
  const url = request.url(first.text);
  if (url.ok) return undefined;
  const whole = `https://${first.text}`;
  const isHost = !first.text.includes(":") && request.url(whole).ok;
  return {
    what: `the URL is malformed: ${url.detail}`,
    advice: `write it as ${isHost ? whole : "https://example.com/path"}`,
  };
}

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
