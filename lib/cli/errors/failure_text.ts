import type { FileProblem } from "../../model/problem.ts";
import type { Color } from "../../report/color.ts";
import { labelled } from "../../report/layout.ts";
import { hintLines, problemText } from "../../report/problem_text.ts";
import { printedJson } from "../../text/printed_json.ts";
import { visible } from "../../text/visible.ts";

/** One sentence about what went wrong, and what to do. */
export interface Sentence {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly command?: string | undefined;
}

/** The report of a thrown value, for every format. */
export interface FailureReport {
  readonly status: number;
  /** At least one, unless there are problems. */
  readonly sentences: readonly Sentence[];
  /** The problems of files and patterns. */
  readonly problems?: readonly FileProblem[];
  readonly stack?: string | undefined;
}

/** Problems that are shown in full; of more, the number. */
const SHOWN = 50;

/** A failure as people read it; hidden characters of the user's text are escaped. Ends in a newline. */
export function failureText(
  { sentences, problems = [], stack }: FailureReport,
  { color }: { readonly color: Color },
): string {
  const shown = problems.slice(0, SHOWN).map((problem) => problemText(problem, { color }));
  const more = problems.length - shown.length;
  return sentences.map((sentence) => sentenceText(sentence, color)).join("") +
    shown.join("\n") + (more > 0 ? `\nand ${more} more problems\n` : "") +
    (stack === undefined ? "" : `${stack.split("\n").map(visible).join("\n")}\n`);
}

/**
 * A failure for programs, in one line: `error` in one sentence, `status`, `hint` and `command`, and every problem with its place.
 */
export function failureJson({ status, sentences, problems = [], stack }: FailureReport): string {
  const [first] = sentences;
  const others = sentences.slice(1).map(({ message, hint, command }) => ({
    message,
    hint,
    command,
  }));
  const places = problems.map(({ path, span, id, severity, message, hint, command }) => ({
    path,
    line: span.line,
    column: span.column,
    id,
    severity,
    message,
    hint,
    command,
  }));
  const fields = {
    error: first?.message ?? placed(problems),
    status,
    hint: first?.hint,
    command: first?.command,
    problems: places.length === 0 ? undefined : places,
    others: others.length === 0 ? undefined : others,
    stack,
  };
  return `${printedJson(fields)}\n`;
}

function placed([first, ...more]: readonly FileProblem[]): string {
  if (first === undefined) return "";
  const { path, span, message } = first;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `${path}:${span.line}:${span.column}: ${message}${rest}`;
}

/** `error: …` and, where there is one, `hint: …`; hidden characters of the user's text are escaped. */
function sentenceText({ message, hint, command }: Sentence, color: Color): string {
  const lines = labelled(visible(message), {
    text: "error:",
    painted: color.red("error:"),
    indent: "error: ".length,
  });
  const help = hint === undefined ? [] : hintLines({ hint, command }, color);
  return [...lines, ...help].join("\n") + "\n";
}
