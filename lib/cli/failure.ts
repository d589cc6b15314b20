import { LoadError } from "../io/load/load_error.ts";
import { FileError } from "../io/runtime/runtime.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { SourceError } from "../policy/sources/source_error.ts";
import type { Color } from "../report/color.ts";
import { type Hint, hintLines } from "../report/hint_text.ts";
import { labelled } from "../report/layout.ts";
import { problemText } from "../report/problem_text.ts";
import { didYouMean } from "../text/did_you_mean.ts";
import { visible } from "../text/visible.ts";
import { InputError, UsageError, WriteError } from "./errors.ts";
import { EXIT } from "./exit_status.ts";
import { findVerb } from "./find_verb.ts";
import { verbName } from "./verb.ts";

/** How a failure is told. */
export interface FailureOptions {
  /** The command line, for the hint. */
  readonly argv: readonly string[];
  /** How stderr is written. */
  readonly color: Color;
  /** What is told of a bug: its message, or its stack too. */
  readonly detail: "message" | "stack";
}

/** A failure, ready to be told. */
export interface Failure {
  /** The exit status: 64 or above. */
  readonly status: number;
  /** What stderr gets; ends in a newline. */
  readonly text: string;
}

/** Problems that are shown in full; of more, the number. */
const SHOWN = 50;

/** What any thrown value means: its exit status and its text. What is not known is a bug. */
export function failureOf(error: unknown, options: FailureOptions): Failure {
  const { color } = options;
  if (error instanceof UsageError) {
    const text = told(error.message, { color, ...usageHint(error, options.argv) });
    return { status: EXIT.usage, text };
  }
  if (error instanceof SourceError) {
    return { status: EXIT.usage, text: told(error.message, { color }) };
  }
  if (error instanceof InputError) {
    const { hint, command } = error;
    return { status: EXIT.badInput, text: told(error.message, { color, hint, command }) };
  }
  if (error instanceof PolicyError) {
    return { status: EXIT.badInput, text: problemsText(error, color) };
  }
  if (error instanceof WriteError) return writeFailure(error, options);
  if (error instanceof LoadError) return filesFailure(error.errors, options);
  if (error instanceof FileError) return filesFailure([error], options);
  return { status: EXIT.bug, text: bugText(error, options) };
}

function writeFailure(error: WriteError, { argv, color }: FailureOptions): Failure {
  const { message, cause } = error;
  if (!(cause instanceof FileError)) {
    return { status: EXIT.cantWrite, text: told(message, { color }) };
  }
  const status = cause.fault === "missing-flag" ? EXIT.usage : EXIT.cantWrite;
  return { status, text: told(message, { color, hint: fileHint(cause, { verb: "write", argv }) }) };
}

/** 64 when a permission flag is missing, 66 when every file is one that is not there, else 65. */
function filesFailure(
  errors: readonly FileError[],
  { argv, color }: FailureOptions,
): Failure {
  const text = errors.map((error) =>
    told(error.message, { color, hint: fileHint(error, { verb: "read", argv }) })
  ).join("");
  if (errors.some(({ fault }) => fault === "missing-flag")) return { status: EXIT.usage, text };
  const absent = errors.every(({ fault }) => fault === "not-found");
  return { status: absent ? EXIT.noInput : EXIT.badInput, text };
}

/** `error: …` and, where there is one, `hint: …`; nothing of the user's text is printed raw. */
function told(
  message: string,
  { color, hint, command }: {
    color: Color;
    hint?: string | undefined;
    command?: string | undefined;
  },
): string {
  const lines = labelled(visible(message), {
    text: "error:",
    painted: color.red("error:"),
    indent: "error: ".length,
  });
  const help = hint === undefined ? [] : hintLines({ hint, command }, color);
  return [...lines, ...help].join("\n") + "\n";
}

/** The did-you-mean, else the error's own hint, else where to look. */
function usageHint({ help }: UsageError, argv: readonly string[]): Hint {
  const near = help.unknown && didYouMean(help.unknown.word, help.unknown.known);
  if (near !== undefined) return { hint: near };
  const { hint = whereToLook(argv), command } = help;
  return { hint, command };
}

function whereToLook(argv: readonly string[]): string {
  const found = findVerb(argv);
  return found === undefined
    ? '"caliban --help" lists the verbs'
    : `"${verbName(found.verb)} --help" shows how it is used`;
}

function problemsText({ problems }: PolicyError, color: Color): string {
  const shown = problems.slice(0, SHOWN).map((problem) => problemText(problem, { color }));
  const more = problems.length - shown.length;
  return shown.join("\n") + (more > 0 ? `\nand ${more} more problems\n` : "");
}

function bugText(error: unknown, { color, detail }: FailureOptions): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const hint = "CALIBAN_DEBUG=1 shows where; please report it";
  const text = told(`caliban has a bug: ${message}`, { color, hint });
  if (detail === "message" || !(error instanceof Error)) return text;
  const stack = (error.stack ?? "").split("\n").map(visible).join("\n");
  return `${text}${stack}\n`;
}

/** What a file was wanted for, and by whom. */
interface FileWant {
  /** What could not be done. */
  readonly verb: "read" | "write";
  /** The command line. */
  readonly argv: readonly string[];
}

/** What to do about a file that could not be read or written; undefined where the message says it. */
function fileHint(error: FileError, { verb, argv }: FileWant): string | undefined {
  // A stream or a variable is nothing that could be moved away.
  if (!/[\\/]/.test(error.path)) return undefined;
  switch (error.fault) {
    case "not-found":
      if (verb === "write") return "A folder above it is missing: make it first";
      return isOnLine(error.path, argv)
        ? "Correct the path; a relative one starts in the current folder"
        : "It is named in CALIBAN_RULES or CALIBAN_MANAGED_FILE: correct it there";
    case "permission":
      return `"ls -l" shows who may ${verb} it; its folder counts too`;
    case "not-a-file":
      return "Name a file, or move away what stands there";
    case "not-utf8":
      return "Save it as UTF-8";
    case "loop":
      return '"ls -l" shows where its links lead; correct one of them';
    case "too-large":
      return "No policy is that large: look whether it is the right file";
    case "other":
      return verb === "read"
        ? "Mend it or move it away; nothing is decided before"
        : "Nothing was written; try again when that is mended";
    case "missing-flag":
      return undefined;
  }
}

/** Whether a path is one of the command line, by its last name. */
function isOnLine(path: string, argv: readonly string[]): boolean {
  const name = lastName(path);
  return argv.some((arg) =>
    lastName(arg) === name || lastName(arg.replace(/^--[^=]*=/, "")) === name
  );
}

function lastName(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((name) => name !== "" && name !== ".");
}
