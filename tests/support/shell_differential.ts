/** Holds a reading of command lines against what a shell did with them. */
import { readLine } from "../../lib/shell/read_line.ts";
import type { RealShell, Recorded, ShellRecorder } from "./shell_recorder.ts";
import { isHarmless } from "./shell_mutations.ts";

/** One part of a line in a reading, as far as it matters here. */
export interface ReadUnit {
  /** Its kind; `opaque`: the programs that it runs cannot be known. */
  readonly kind: string;
  /** The program of a command. */
  readonly name?: string | undefined;
  /** Its words as deny rules see them; absent for a reading that only names programs. */
  readonly denyTexts?: readonly { readonly template: string }[];
  /** The reason that its programs cannot be known; for commands too, whose name is not fixed. */
  readonly why?: string | undefined;
}

/** A reading of a line. */
export type Reader = (line: string) => { readonly effects: readonly ReadUnit[] };

/** A line that a reading and a shell do not agree on. */
export interface Violation {
  /** The line. */
  readonly line: string;
  /** Programs that were started and are in no unit, each once; or the error that the reading threw. */
  readonly missed: readonly string[];
}

/** The outcome of many lines. */
export interface Outcome {
  /** Lines that ran. */
  readonly lines: number;
  /** Lines whose units name all that they run, says the reading. */
  readonly knowable: number;
  /** Programs started. */
  readonly started: number;
  /** Programs started by knowable lines, which are the ones that the comparison stands on. */
  readonly compared: number;
  /** Lines that had to be stopped. */
  readonly stopped: number;
  /** Violations, not shrunk, in the lines' order. */
  readonly violations: readonly Violation[];
}

/** Grammar of bash that `sh` lacks, which `shell = "posix"` reads as bash does. */
const BASH_GRAMMAR =
  /\[\[|\(\(|&>|>&|[<>]\(|\|&|<<<|\b(?:function|coproc|select|time|exec)\b|\{[^}]*(?:,|\.\.)|[@!?*+]\(|\w\(|=|\{\w+\}[<>]|\$\[|\$\{/;

/** True for a line that `sh` reads otherwise than bash, for which its shell must be told. */
export function needsSh(line: string): boolean {
  return BASH_GRAMMAR.test(line) || /\$['"]/.test(line);
}

/** The reading of a line that a shell runs: its own, or the default where that must be enough. */
export function readerFor(shell: RealShell): Reader {
  switch (shell) {
    case "bash":
      return (line) => readLine(line, { shell: "bash" });
    case "zsh":
      return (line) => readLine(line);
    case "dash":
    case "busybox":
      return (line) => {
        const { effects } = readLine(line, BASH_GRAMMAR.test(line) ? { shell: "sh" } : {});
        // The default knows where `$'…'` ends in every shell, and its text in bash and zsh.
        const isSame = !/\$['"]/.test(line);
        return {
          effects: effects.map(({ denyTexts, ...rest }) => isSame ? { ...rest, denyTexts } : rest),
        };
      };
  }
}

/** Runs all lines and compares. */
export async function compareWithShell(
  read: Reader,
  recorder: ShellRecorder,
  lines: readonly string[],
): Promise<Outcome> {
  const all = await recorder.record(lines);
  const compared = all.map((each) => comparisonOf(read, each));
  const known = all.filter((_each, index) => compared[index] !== "unknowable");
  return {
    lines: all.length,
    knowable: known.length,
    started: countStarted(all),
    compared: countStarted(known),
    stopped: all.filter(({ ended }) => ended === "stopped").length,
    violations: compared.filter((each) => typeof each !== "string"),
  };
}

function countStarted(all: readonly Recorded[]): number {
  return all.reduce((sum, { started }) => sum + started.length, 0);
}

function isOpaque({ kind, why }: ReadUnit): boolean {
  return kind === "opaque" || why !== undefined;
}

function unitsOf(read: Reader, line: string): readonly ReadUnit[] | string {
  try {
    return read(line).effects;
  } catch (error) {
    return `thrown: ${error}`;
  }
}

/** Holds the reading of a line against what ran. */
function comparisonOf(
  read: Reader,
  { line, started, commands }: Recorded,
): "unknowable" | "agreed" | Violation {
  const units = unitsOf(read, line);
  if (typeof units === "string") return { line, missed: [units] };
  if (units.some(isOpaque)) return "unknowable";
  const names = new Set(units.map(({ name }) => name?.slice(name.lastIndexOf("/") + 1)));
  // `time -p x` of zsh looks for a program `-p`, which nobody has.
  const missed = [...new Set(started)].filter((name) =>
    name !== "" && !names.has(name) && !name.startsWith("-")
  );
  if (missed.length > 0) return { line, missed };
  const unlike = units.every(({ kind, denyTexts }) => kind !== "command" || denyTexts)
    ? [...new Set(commands)].filter((command) => !isExpected(command, units))
    : [];
  return unlike.length > 0 ? { line, missed: unlike } : "agreed";
}

/** True if a program was started with arguments that a unit has for it. */
function isExpected(command: string, units: readonly ReadUnit[]): boolean {
  if (command.startsWith("-") || command === "") return true;
  return units.some(({ denyTexts = [] }) =>
    denyTexts.some(({ template }) => couldBe(template, command))
  );
}

/** True if a template with open pieces could be a text; an open word may be none. */
function couldBe(template: string, text: string): boolean {
  const pattern = template
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    // The home folder, which bash also puts behind `name=` in an argument, and a name that is like it.
    .replace(/(?<=^|[ =:])~(?=[/: ]|$)/g, "\\S*").replaceAll("\\./~", "(?:\\./)?~")
    .replace(/([\uF8FD-\uF8FF])\/(?= |$)/g, "$1/?")
    .replace(/ [\uF8FD-\uF8FF]+(?= |$)/g, "(?: [^]*)?")
    .replace(/[\uF8FD-\uF8FF]/g, "[^]*");
  return new RegExp(`^(?:\\S*/)?${pattern}$`).test(text);
}

/**
 * The shortest line that is left when pieces are taken out of one that violates, and the rest still does. Undefined when the
 * line does not do so again on its own.
 */
export async function shrunk(
  read: Reader,
  recorder: ShellRecorder,
  line: string,
): Promise<Violation | undefined> {
  const violating = async (lines: readonly string[]) => {
    const recorded = await recorder.record(lines.filter(isHarmless));
    return recorded.map((each) => comparisonOf(read, each)).find((each) =>
      typeof each !== "string"
    );
  };
  let best = await violating([line]);
  if (!best) return undefined;
  for (let size = line.length >> 1; size > 0;) {
    const shorter = await violating(without(best.line, size));
    if (shorter) best = shorter;
    else size >>= 1;
  }
  return best;
}

/** A line without any one piece of a length. */
function without(line: string, size: number): readonly string[] {
  const step = Math.max(1, size >> 2);
  const count = Math.floor(Math.max(0, line.length - size) / step) + 1;
  return Array.from(
    { length: count },
    (_, index) => line.slice(0, index * step) + line.slice(index * step + size),
  ).filter((each) => each.length < line.length);
}
