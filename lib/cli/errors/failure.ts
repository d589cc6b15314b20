import { FileError, LoadError, type Runtime } from "../../io/runtime/runtime.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { SourceError } from "../../policy/sources/source.ts";
import type { Color } from "../../report/color.ts";
import type { Hint } from "../../report/problem_text.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { ownProgram } from "../../io/runtime/own_program.ts";
import { shellQuoted } from "../../text/quote.ts";
import { chooseColor } from "../output/choose_color.ts";
import { EXIT, InputError, UsageError, WriteError } from "./errors.ts";
import { failureJson, type FailureReport, failureText } from "./failure_text.ts";
import { InstallationError, withInstallation } from "./load_failure.ts";
import { findVerb, type Verb, verbName } from "../args/verb.ts";

/** The options of `failureOf`. */
export interface FailureOptions {
  /** The command line, for the hint. */
  readonly argv: readonly string[];
  /** The verbs that the hint may name. */
  readonly verbs: readonly Verb[];
  readonly color: Color;
  /** The detail shown for a bug: its message, or also its stack. */
  readonly detail: "message" | "stack";
  /** The form of the text; for people by default. */
  readonly format?: "text" | "json";
  /** The file that Deno runs; left out where no permission can be missing. */
  readonly program?: string | undefined;
}

/** A failure as it is reported. */
export interface Failure {
  /** The exit status: 64 or above. */
  readonly status: number;
  /** The text for stderr, or one line of JSON for stdout; ends in a newline. */
  readonly text: string;
}

/** Returns the exit status and text for any thrown value. An unknown error is a bug. */
export function failureOf(error: unknown, options: FailureOptions): Failure {
  const report = reportOf(error, options);
  const text = options.format === "json" ? failureJson(report) : failureText(report, options);
  return { status: report.status, text };
}

function reportOf(error: unknown, options: FailureOptions): FailureReport {
  if (error instanceof UsageError) {
    const sentence = { message: error.message, ...usageHint(error, options) };
    return { status: EXIT.usage, sentences: [sentence] };
  }
  if (error instanceof SourceError) {
    return { status: EXIT.usage, sentences: [{ message: error.message }] };
  }
  if (error instanceof InputError) {
    const { message, hint, command } = error;
    return { status: EXIT.badInput, sentences: [{ message, hint, command }] };
  }
  if (error instanceof PolicyError) {
    return { status: EXIT.badInput, sentences: [], problems: error.problems };
  }
  if (error instanceof InstallationError) {
    return { status: EXIT.bug, sentences: [{ message: error.message, hint: error.hint }] };
  }
  if (error instanceof WriteError) return writeFailure(error, options);
  if (error instanceof LoadError) return filesFailure(error.errors, options);
  if (error instanceof FileError) return filesFailure([error], options);
  return bugFailure(error, options);
}

function writeFailure({ message, cause }: WriteError, options: FailureOptions): FailureReport {
  const { argv } = options;
  if (!(cause instanceof FileError)) {
    return { status: EXIT.cantWrite, sentences: [{ message }] };
  }
  if (cause.fault === "missing-flag") {
    return { status: EXIT.usage, sentences: [{ message, ...flagsHint(options) }] };
  }
  const hint = fileHint(cause, { verb: "write", argv });
  return { status: EXIT.cantWrite, sentences: [{ message, hint }] };
}

/** The command that gives a verb all of its permissions. */
function flagsHint({ argv, verbs, program }: FailureOptions): Partial<Hint> {
  const found = findVerb(argv, verbs);
  if (found === undefined || program === undefined) return {};
  const flags = found.verb.permissions.map((permission) => `--allow-${permission}`);
  const words = ["deno", "run", "--no-prompt", ...flags, program, ...argv];
  return { hint: "Run it with all that it needs:", command: words.map(shellQuoted).join(" ") };
}

/** 64 when a permission flag is missing, 66 when every file is one that is not there, else 65. */
function filesFailure(errors: readonly FileError[], options: FailureOptions): FailureReport {
  const { argv } = options;
  const lacksFlag = errors.findLast(({ fault }) => fault === "missing-flag");
  const sentences = errors.map((error) => ({
    message: error.message,
    ...(error === lacksFlag
      ? flagsHint(options)
      : { hint: fileHint(error, { verb: "read", argv }) }),
  }));
  if (lacksFlag !== undefined) return { status: EXIT.usage, sentences };
  const absent = errors.every(({ fault }) => fault === "not-found");
  return { status: absent ? EXIT.noInput : EXIT.badInput, sentences };
}

function bugFailure(error: unknown, { detail }: FailureOptions): FailureReport {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const hint = "CALIBAN_DEBUG=1 shows the stack trace; please report the bug";
  return {
    status: EXIT.bug,
    sentences: [{ message: `caliban has a bug: ${message}`, hint }],
    ...(detail === "stack" && error instanceof Error ? { stack: error.stack ?? "" } : {}),
  };
}

/** The did-you-mean, else the error's own hint, else where to look. */
function usageHint({ help }: UsageError, options: FailureOptions): Hint {
  const near = help.unknown && didYouMean(help.unknown.word, help.unknown.known);
  if (near !== undefined) return { hint: near };
  const { hint = whereToLook(options), command } = help;
  return { hint, command };
}

function whereToLook({ argv, verbs }: FailureOptions): string {
  const found = findVerb(argv, verbs);
  return found === undefined
    ? '"caliban help --all" lists the verbs'
    : `"${verbName(found.verb)} --help" shows its usage`;
}

/** The intended use of a file. */
interface FileWant {
  readonly verb: "read" | "write";
  readonly argv: readonly string[];
}

/** The hint for a file that cannot be read or written; undefined if the message suffices. */
function fileHint(error: FileError, { verb, argv }: FileWant): string | undefined {
  // A stream or a variable is nothing that could be moved away.
  if (!/[\\/]/.test(error.path)) return undefined;
  switch (error.fault) {
    case "not-found":
      if (verb === "write") return "A parent folder is missing: create it first";
      return isOnLine(error.path, argv)
        ? "Correct the path; a relative path starts in the current folder"
        : "CALIBAN_RULES or CALIBAN_MANAGED_FILE names it: correct the variable";
    case "permission":
      return `"ls -l" shows who may ${verb} it; check its folder too`;
    case "not-a-file":
      return "Name a file, or move the entry at this path away";
    case "not-utf8":
      return "Save it as UTF-8";
    case "loop":
      return '"ls -l" shows the targets of its links; correct one of them';
    case "too-large":
      return verb === "write"
        ? '"ulimit -f" shows the limit of this shell'
        : "No policy is that large: check that the path is right";
    case "other":
      return verb === "read"
        ? "Fix the file or move it away; until then nothing is decided"
        : "Nothing was written; try again after you resolve the problem";
    case "missing-flag":
      return undefined;
  }
}

/** True if a path is one of the command line, by its last name. */
function isOnLine(path: string, argv: readonly string[]): boolean {
  const name = lastName(path);
  return argv.some((arg) =>
    lastName(arg) === name || lastName(arg.replace(/^--[^=]*=/, "")) === name
  );
}

function lastName(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((name) => name !== "" && name !== ".");
}

/** Writes what went wrong on stderr, or as JSON on stdout where the line asks for JSON, and answers the exit status. */
export async function reportFailure(
  error: unknown,
  options: {
    readonly argv: readonly string[];
    readonly runtime: Runtime;
    readonly verbs: readonly Verb[];
  },
): Promise<number> {
  const { argv, runtime, verbs } = options;
  const color = chooseColor(runtime, { flag: colorFlag(argv), stream: "stderr" });
  const detail = debugging(runtime) ? "stack" : "message";
  const program = runtime.name === "deno" ? ownProgram(runtime).file : undefined;
  const about = { argv, verbs, color, detail, program } as const;
  const named = await withInstallation(error, runtime);
  if (wantsJson(argv)) {
    const failure = failureOf(named, { ...about, format: "json" });
    if (await isWritten(runtime, { stream: "stdout", text: failure.text })) return failure.status;
  }
  const failure = failureOf(named, about);
  // Only the status is left to report the failure if this fails.
  await isWritten(runtime, { stream: "stderr", text: failure.text });
  return failure.status;
}

/** Writes text and answers true if the stream took it. */
async function isWritten(
  runtime: Runtime,
  { stream, text }: { readonly stream: "stdout" | "stderr"; readonly text: string },
): Promise<boolean> {
  try {
    return await runtime.write(stream, text);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** True if a line, which may be wrong in other places, asks for JSON. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.includes("--json") || words.includes("--format=json") ||
    words.some((word, index) => word === "--format" && words[index + 1] === "json");
}

/** The value of `--color` in a line that may be wrong in other places. */
function colorFlag(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((arg) => arg === "--color" || arg.startsWith("--color="));
  const arg = argv[index];
  return arg === "--color" ? argv[index + 1] : arg?.slice("--color=".length);
}

/** True if CALIBAN_DEBUG is set; a variable that may not be read is not. */
function debugging(runtime: Runtime): boolean {
  try {
    return (runtime.env("CALIBAN_DEBUG") ?? "") !== "";
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
