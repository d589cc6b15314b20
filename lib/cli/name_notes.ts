import { onlyText } from "../pattern/glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { didYouMean } from "../text/did_you_mean.ts";
import { visible } from "../text/visible.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";

/** A note on a tool that is known but for the spelling of its name; none for any other. */
export function toolNotes(tool: string, profiles: ToolProfiles): readonly string[] {
  if (profiles.has(tool) || tool.startsWith("mcp__")) return [];
  const hint = didYouMean(tool, profiles.known.map(({ name }) => name));
  return hint === undefined ? [] : [`nothing is known about a tool "${visible(tool)}". ${hint}`];
}

/** The same for the one tool that a pattern names. */
export function nameNotes(pattern: string, profiles: ToolProfiles): readonly string[] {
  const read = parsePattern(pattern);
  const tool = read.ok ? onlyText(read.value.tool) : undefined;
  return tool === undefined ? [] : toolNotes(tool, profiles);
}
