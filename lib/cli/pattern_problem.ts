import type { FileProblem } from "../model/problem.ts";
import type { PatternError } from "../pattern/glob.ts";

/** What is wrong with a pattern of the command line, ready to be shown with the place underlined. */
export function patternProblem(pattern: string, { detail, at, hint }: PatternError): FileProblem {
  const end = pattern.length;
  return {
    id: "invalid-pattern",
    severity: "error",
    message: `Cannot use pattern "${pattern}": ${detail}, at character ${at + 1}`,
    span: { start: Math.min(at, Math.max(0, end - 1)), end, line: 1, column: at + 1 },
    ...(hint === undefined ? {} : { hint }),
    path: "pattern",
    text: pattern,
  };
}
