import { isFixed, type Word } from "../parse/tree.ts";
import { EVER, hasDoubtfulValue } from "./class_conditions.ts";
import { doubtfulWordOf, keepsClasses } from "./class_options.ts";
import { fitsGlob, type Program } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { Level } from "./program_use.ts";

/** An option of nothing but digits: `head -5`. */
const DIGITS = "-#";

/** True if a word that may be an option of a program may change its classes. */
function maySteer({ table, isDangerous }: Program): boolean {
  const lists = [table.classes, table.known, table.verbs, table.doubtful, table.doubtful_values];
  return isDangerous || table.request === true ||
    [...lists, table.class_if].some((list) => list !== undefined);
}

/** The first word of a level with an option that its table does not name for certain; undefined if it names all. */
export function unnamedOption(
  words: readonly Word[],
  level: Level,
): Word | undefined {
  const { args: { options, operands, possibleOptions }, program, from } = level;
  const { table } = program;
  if (table.known?.includes(EVER)) return undefined;
  if (table.bundle === "dashed" || table.bare) return words[Math.min(from, words.length - 1)];
  for (const use of options) {
    if (!keepsClasses(use, table)) return words[use.first];
  }
  const doubtfulWord = doubtfulWordOf(words, level);
  if (doubtfulWord) return doubtfulWord;
  if (hasDoubtfulValue(words, level)) return words[from - 1];
  const entering = table.enters && secondEntering(options, table.enters);
  if (entering) return words[entering.first];
  if (possibleOptions.length > 0 && maySteer(program)) return words[possibleOptions[0]!];
  const end = table.sub || table.inner ? operands[0] ?? words.length : words.length;
  const isRead = readWords(words.length, level.args);
  const bundle = table.bundle && /^[A-Za-z]+$/.exec(words[from]?.shape ?? "")?.[0];
  if (bundle) {
    if (!namesLetters(bundle, { program, isBundle: true })) return words[from];
    isRead[from] = true;
  }
  return unnamedWord(words, { program, isRead, from, end });
}

/** The first word from one place to another that is neither read nor named by the table. */
function unnamedWord(
  words: readonly Word[],
  { program, isRead, from, end }: {
    readonly program: Program;
    readonly isRead: readonly boolean[];
    readonly from: number;
    readonly end: number;
  },
): Word | undefined {
  for (let at = from; at < end; at++) {
    const { shape } = words[at]!;
    if (shape === "--") return untakenArgument(words.slice(at + 1), program.table);
    if (isRead[at] !== true && !namesOption(shape, program)) return words[at];
  }
  return undefined;
}

/** The words that are operands, or values behind their options. */
function readWords(count: number, { operands, options }: Level["args"]): boolean[] {
  const isRead: boolean[] = [];
  for (let at = 0; at < count; at++) isRead.push(false);
  for (const at of operands) isRead[at] = true;
  for (const { first, last } of options) {
    for (let at = first + 1; at <= last; at++) isRead[at] = true;
  }
  return isRead;
}

/** The second option that enters a folder. */
function secondEntering(
  options: Level["args"]["options"],
  enters: readonly string[],
): Level["args"]["options"][number] | undefined {
  return options.filter(({ option: { name } }) =>
    enters.some((each) => each.split(/[ =]/)[0] === name)
  )[1];
}

/** The first word behind `--` that a program does not take, where it may hand them to another. */
function untakenArgument(
  words: readonly Word[],
  { arguments: taken }: ProgramTable,
): Word | undefined {
  return taken &&
    words.find(({ shape }) =>
      !isFixed(shape) || shape[0] === "-" && !taken.some((glob) => fitsGlob(glob, shape))
    );
}

/** True if the table names each option that a word holds, in full. */
function namesOption(shape: string, program: Program): boolean {
  const { options, table } = program;
  if (options.has(shape)) return true;
  if (/^-\d/.test(shape) && options.has(DIGITS) && /^-\d+$/.test(shape)) return true;
  if (table.style === "words" || shape.startsWith("--") && table.style !== "letters") {
    const equals = shape.indexOf("=");
    const name = shape.slice(0, Math.max(equals, 0));
    return equals >= 0 && isFixed(name) && options.has(name);
  }
  return namesLetters(shape.slice(1), { program, isBundle: false });
}

/** True if the table names each of the letters that options are written as; the values of a bundle follow it. */
function namesLetters(
  letters: string,
  { program: { options }, isBundle }: { readonly program: Program; readonly isBundle: boolean },
): boolean {
  for (const letter of letters) {
    const option = options.get(`-${letter}`);
    if (option === undefined) return false;
    if (option.takes !== "none" && !isBundle) return true;
  }
  return letters !== "";
}
