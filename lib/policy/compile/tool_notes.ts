import { didYouMean } from "../../text/did_you_mean.ts";
import { visible } from "../../text/visible.ts";
import type { ToolProfiles } from "./profiles.ts";

/** A note on a tool that is known but for the spelling of its name; none for any other. */
export function toolNotes(tool: string, profiles: ToolProfiles): readonly string[] {
  if (profiles.has(tool) || tool.startsWith("mcp__")) return [];
  const hint = didYouMean(tool, profiles.known.map(({ name }) => name));
  return hint === undefined ? [] : [`unknown tool "${visible(tool)}". ${hint}`];
}
