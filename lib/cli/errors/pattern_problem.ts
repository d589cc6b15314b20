import type { FileProblem } from "../../model/problem.ts";
import type { PatternError } from "../../pattern/glob.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";

/** The problem of a pattern on the command line, with the span to underline. */
export function patternProblem(pattern: string, { detail, at, hint }: PatternError): FileProblem {
  const end = pattern.length;
  const help = likelyPattern(pattern) ?? hint;
  return {
    id: "invalid-pattern",
    severity: "error",
    message: `Cannot use pattern "${pattern}": ${detail}, at character ${at + 1}`,
    span: { start: Math.min(at, Math.max(0, end - 1)), end, line: 1, column: at + 1 },
    ...(help === undefined ? {} : { hint: help }),
    path: "pattern",
    text: pattern,
  };
}

/** A suggestion for a command in place of a pattern (`git push`), or for a tool and its input (`Bash git push`). */
function likelyPattern(pattern: string): string | undefined {
  const [whole = "", head = "", input = ""] = /^([\w.+-]+) +([^()]+)$/.exec(pattern.trim()) ?? [];
  if (whole === "") return undefined;
  const isTool = toolProfiles(new Map()).has(head);
  const meant = isTool ? specFor(head, input) : specFor("Bash", whole);
  return `Did you mean "${meant}"?`;
}

function specFor(tool: string, input: string): string {
  if (input === "*") return tool;
  const words = input.replace(/ +\*$/, "");
  return tool === "Bash" && !/[*?\\]/.test(words) ? `${tool}(${words}:*)` : `${tool}(${input})`;
}
