import { HOLE, isFixed, literalOf, type Word } from "../parse/tree.ts";
import { isHarmlessValue, type Program } from "./program.ts";
import { baseName } from "./program_catalog.ts";
import {
  type CommandReading,
  PLAIN_READING,
  type ProgramUse,
  unknownUse,
  type Wrapped,
} from "./program_use.ts";
import { readOptions } from "./read_options.ts";

/** Long options of shells that take a value. */
const WITH_VALUE = /^--(?:rcfile|init-file|emulate)$/;

/**
 * Reads the words of a shell (`bash -ec 'x' name`, `sh script`, `bash <<EOF`). Source: bash(1), OPTIONS: with `-c` the
 * commands are the first operand, not the next word.
 */
export function readShell(words: readonly Word[], program: Program): CommandReading {
  const checked = checkedScript(words);
  if (checked) return { ...PLAIN_READING, uses: [checked], isKnown: true };
  const uses: ProgramUse[] = [...startUses(words, program)];
  const wrapped: Wrapped[] = [];
  const addUnknown = (last: number, why: string) => uses.push(unknownUse(words, { last, why }));
  const { command, stdin, at } = shellFlags(words, addUnknown);
  const operand = words[at];
  if (command) {
    if (operand === undefined) addUnknown(words.length - 1, "it has no command");
    else if (!isFixed(operand.shape)) addUnknown(at, "the command that it runs is not fixed");
    if (operand) wrapped.push({ kind: "line", text: lineOf(operand), last: at });
    if (operand && isParsedDifferently(words[0]!, operand.shape)) {
      addUnknown(at, PARSED_DIFFERENTLY);
    }
  } else if (operand && !stdin) {
    uses.push({ ...unknownUse(words, { last: at, why: "it runs a script" }), isScript: true });
  } else wrapped.push({ kind: "stdin" });
  const isPlain = command && uses.length === 0 && /\S/.test(operand?.shape ?? "") &&
    PLAIN_SHELLS.test(baseName(words[0]!.shape)) &&
    hasPlainOptions(words.slice(1, at));
  return { ...PLAIN_READING, uses, wrapped, onlyRuns: isPlain };
}

/** Shells that read no configuration for a line, or that of the user's own home folder and the machine. */
const PLAIN_SHELLS = /^(?:bash|sh|dash|zsh)$/;

/** Values of `-o` that stop or show commands, and change none. */
const PLAIN_SETTING = /^(?:errexit|nounset|pipefail|verbose|xtrace)$/;

/** True if the options of a shell let it run its line as it stands: it is a login shell, shows commands, or stops at a failure. */
function hasPlainOptions(words: readonly Word[]): boolean {
  return words.map(literalOf).every((text = "", at, all) =>
    /o$/.test(all[at - 1] ?? "") && all[at - 1]![0] === "-"
      ? PLAIN_SETTING.test(text)
      : /^-(?:[celuvx]+|[eluvx]*o|-|-login|-norc|-noprofile)$/.test(text)
  );
}

/** The file that `bash -n FILE` reads and does not run; behind `-n`, `+n` or `-c` could. */
function checkedScript(words: readonly Word[]): ProgramUse | undefined {
  const [shell, option, ...rest] = words;
  // By its place: equal words of a line may be one object.
  const at = rest[0]?.shape === "--" ? 3 : 2;
  const file = words[at];
  if (!shell || option?.shape !== "-n" || !file || !CHECKS.test(baseName(shell.shape))) {
    return undefined;
  }
  if (file.splits || /^(?:[-+]|$)/.test(file.shape) || file.shape.startsWith(HOLE)) {
    return undefined;
  }
  return { kind: "read", text: file.raw, value: file, lastWord: at };
}

/** Shells that run nothing with -n. */
const CHECKS = /^(?:bash|sh|dash|ash|zsh)$/;

/** The reason why the line of another shell is unknown. */
export const PARSED_DIFFERENTLY = "the shell that it starts may parse it differently from bash";

/** The flags `-c` and `-s` of a shell, and the index of the word behind its options. */
function shellFlags(
  words: readonly Word[],
  addUnknown: (at: number, why: string) => void,
): { readonly command: boolean; readonly stdin: boolean; readonly at: number } {
  let command = false;
  let stdin = false;
  let at = 1;
  for (; at < words.length; at++) {
    const text = literalOf(words[at]!);
    if (text === "--" || text === "-") return { command, stdin, at: at + 1 };
    if (text === undefined || !/^[-+]./.test(text)) break;
    if (text.startsWith("--")) {
      if (WITH_VALUE.test(text)) at++;
      continue;
    }
    if (text.startsWith("+")) addUnknown(at, "it changes the options of the shell");
    if (text.includes("c") && text.startsWith("-")) command = true;
    if (text.includes("s") && text.startsWith("-")) stdin = true;
    if (/[oO]/.test(text)) at++;
  }
  return { command, stdin, at };
}

/** The unknown uses of options that run startup files or change the shell. */
function startUses(words: readonly Word[], program: Program): readonly ProgramUse[] {
  const { options } = readOptions(words, { program, from: 1, stops: true });
  return options.flatMap(({ option, last, value, word }): readonly ProgramUse[] => {
    const matters = option.lists.includes("code") || option.lists.includes("acts");
    if (!matters || isHarmlessValue(option, { value: value ?? "", table: program.table })) {
      return [];
    }
    const why = "it runs startup files or changes the options of the shell";
    return [{
      kind: "unknown",
      text: `${option.name} ${word.raw}`,
      value: word,
      lastWord: last,
      why,
    }];
  });
}

function lineOf({ shape, text }: Word): string {
  return isFixed(shape) ? shape : text;
}

/** True if a shell may parse a line differently from bash, and so run other programs. */
export function isParsedDifferently(shell: Word, line: string): boolean {
  if (isBash(shell)) return false;
  return isPosix(shell) ? BASH_ONLY.test(line) : !PLAIN_LINE.test(line);
}

/** True for shells that run the same programs as bash for a POSIX line. */
function isPosix({ shape }: Word): boolean {
  return /^(?:bash|sh|dash|ash)$/.test(baseName(shape));
}

function isBash({ shape }: Word): boolean {
  return baseName(shape) === "bash";
}

/** Constructs that bash and other POSIX shells parse differently. */
const BASH_ONLY =
  /^\s*time\b|\[\[|\(\(|&>|>&\s*[^\s\d-]|\$['"]|[<>]\(|\|&|<<<|\bfunction\b|\bcoproc\b|\bselect\b|\btime\b|\{[^}]*(?:,|\.\.)/;

/** A line that every shell parses in the same way. */
const PLAIN_LINE = /^[\w\s\-./:@%+,]*$/;
