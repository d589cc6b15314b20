import type { ToolProfile } from "../model/call.ts";
import type { Glob } from "../pattern/glob.ts";
import { parseSpecifier } from "../pattern/parse_specifier.ts";
import { foldCase } from "../pattern/unicode.ts";
import { namesTool } from "../policy/compile/compiled_policy.ts";
import type { LintContext } from "./check.ts";

/**
 * A test for the command lines of a tool that an allow rule of the linted files may decide: false only where none of them can,
 * so that most probes need no evaluation.
 */
export function mayAllow(
  { rules }: LintContext,
  profile: ToolProfile,
): (line: string) => boolean {
  const words = new Set<string>();
  for (const { rule } of rules) {
    if (rule.action !== "allow" || !namesTool(rule, profile)) continue;
    const specifier = parseSpecifier(rule.parsed, profile);
    if (!specifier.ok) continue;
    const { value } = specifier;
    const word = value.kind === "argument" && value.test.kind === "command"
      ? neededWord(value.test.glob)
      : "";
    if (word === "") return () => true;
    words.add(word);
  }
  return (line) => {
    const folded = foldCase(line);
    return [...words].some((word) => folded.includes(word));
  };
}

/**
 * The longest run of letters and digits in every command that a glob matches, folded; empty if there is none. A command that a
 * line runs is written in it, with any text before and between its words.
 */
function neededWord(glob: Glob): string {
  const runs = glob.flatMap((token) =>
    token.kind === "text" ? foldCase(token.text).match(/[a-z0-9]+/g) ?? [] : []
  );
  return runs.reduce((longest, run) => run.length > longest.length ? run : longest, "");
}
