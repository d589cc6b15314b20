import { matchGlob } from "../../pattern/match_glob.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";

/** Whether a pattern says something about the input of that tool; one that cannot be read might. */
export function speaksOf(toolName: string, pattern: string): boolean {
  const read = parsePattern(pattern);
  if (!read.ok) return true;
  return read.value.specifier !== undefined && matchGlob(read.value.tool, toolName);
}
