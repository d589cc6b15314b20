/**
 * Patterns as text and syntax: parsed, printed and matched, in time linear in the pattern and the text.
 *
 * @example
 * ```ts
 * import { matchGlob, parseGlob, parsePattern, printPattern } from "@caliban/perms/patterns";
 * const glob = parseGlob("git *");
 * if (glob.ok) console.log(matchGlob(glob.value, "git push")); // true
 * const pattern = parsePattern("Bash(git push:*)");
 * if (pattern.ok) console.log(pattern.value.specifier, printPattern(pattern.value)); // "git push:*" "Bash(git push:*)"
 * ```
 *
 * @module
 */
export {
  type Glob,
  type GlobToken,
  matchGlob,
  type Parsed,
  parseGlob,
  type PatternError,
  printGlob,
} from "./glob.ts";
export { parsePattern, type Pattern } from "./parse_pattern.ts";
export { printPattern } from "./print_pattern.ts";
