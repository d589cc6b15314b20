import { isHarmless } from "./operand_kinds.ts";
import { isFixed, literalOf } from "../parse/parse_word.ts";
import type { Program } from "./program.ts";
import { baseName } from "./programs.ts";
import { readOptions } from "./read_options.ts";
import type { Word } from "../parse/tree.ts";
import type { CommandUse, ProgramUse, Wrapped } from "./use.ts";

/** Long options of shells that take a value. */
const WITH_VALUE = /^--(?:rcfile|init-file|emulate)$/;

/**
 * Reads the words of a shell (`bash -ec 'x' name`, `sh script`, `bash <<EOF`). Source: bash(1), OPTIONS: with `-c` the
 * commands are the first operand, not the next word.
 */
export function shellReading(words: readonly Word[], program: Program): CommandUse {
  const uses: ProgramUse[] = [...startUses(words, program)];
  const wrapped: Wrapped[] = [];
  const odd = (at: number, why: string) => {
    const value = words[at] ?? words.at(-1)!;
    uses.push({ kind: "unknown", text: value.raw, value, lastWord: at, why });
  };
  const { command, stdin, at } = shellFlags(words, odd);
  const operand = words[at];
  if (command) {
    if (operand === undefined) odd(words.length - 1, "it has no command");
    else if (!isFixed(operand.shape)) odd(at, "the command that it runs is not fixed");
    if (operand) wrapped.push({ kind: "line", text: lineOf(operand), last: at });
    if (operand && isReadOtherwise(words[0]!, operand.shape)) {
      odd(at, "the shell that it starts may read it otherwise than bash");
    }
  } else if (operand && !stdin) {
    odd(at, "it runs a script");
  } else wrapped.push({ kind: "stdin" });
  return {
    uses,
    wrapped,
    assigns: [],
    globals: [],
    isHarmless: false,
    isTransparentWrapper: false,
    isInterpreter: false,
  };
}

/** What the options of a shell say, and the index of the word behind them. */
function shellFlags(
  words: readonly Word[],
  odd: (at: number, why: string) => void,
): { readonly command: boolean; readonly stdin: boolean; readonly at: number } {
  let command = false;
  let stdin = false;
  let at = 1;
  for (; at < words.length; at++) {
    const text = literalOf(words[at]!);
    if (text === undefined || !/^[-+]./.test(text)) break;
    if (text === "--" || text === "-") return { command, stdin, at: at + 1 };
    if (text.startsWith("--")) {
      if (WITH_VALUE.test(text)) at++;
      continue;
    }
    if (text.startsWith("+")) odd(at, "it changes what the shell reads");
    if (text.includes("c") && text.startsWith("-")) command = true;
    if (text.includes("s") && text.startsWith("-")) stdin = true;
    if (/[oO]/.test(text)) at++;
  }
  return { command, stdin, at };
}

/** Options that run start-up files or set what cannot be known. */
function startUses(words: readonly Word[], program: Program): readonly ProgramUse[] {
  const { options } = readOptions(words, { program, from: 1, stops: true });
  return options.flatMap(({ option, last, value, word }): readonly ProgramUse[] => {
    const odd = option.lists.includes("code") || option.lists.includes("acts");
    if (!odd || isHarmless(option, { value: value ?? "", table: program.table })) return [];
    const why = "it runs start-up files or changes what the shell reads";
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

/** Whether a shell may read a line otherwise than bash does, so that other programs run than those that are seen. */
export function isReadOtherwise(shell: Word, line: string): boolean {
  if (isBash(shell)) return false;
  return isPosix(shell) ? BASH_ONLY.test(line) : !PLAIN_LINE.test(line);
}

/** Shells that read a line as bash does, as far as what runs goes. */
function isPosix({ shape }: Word): boolean {
  return /^(?:bash|sh|dash|ash)$/.test(baseName(shape));
}

function isBash({ shape }: Word): boolean {
  return baseName(shape) === "bash";
}

/** What bash reads in one way and other POSIX shells in another. */
const BASH_ONLY =
  /^\s*time\b|\[\[|\(\(|&>|>&\s*[^\s\d-]|\$['"]|[<>]\(|\|&|<<<|\bfunction\b|\bcoproc\b|\bselect\b|\btime\b|\{[^}]*(?:,|\.\.)/;

/** A line that every shell reads in the same way. */
const PLAIN_LINE = /^[\w\s\-./:@%+,]*$/;
