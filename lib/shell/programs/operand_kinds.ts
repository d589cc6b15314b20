import { parseGlob } from "../../pattern/glob.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { isFixed } from "../parse/parse_word.ts";
import type { OperandKind, Option, ProgramTable } from "./program.ts";
import { HOLE, type Word } from "../parse/tree.ts";

/** Whether a word may stand for several: an unquoted expansion, a glob, a loop variable. */
export function mayBeMany({ splits, glob, oneOf }: Word): boolean {
  return splits || glob !== undefined || oneOf !== undefined;
}

/** A word as part of a line that a program puts together from its operands. */
export function lineText({ text, shape, raw }: Word): string {
  return isFixed(shape) ? shape : text || raw;
}

/** Whether what a command prints surely does not begin with "-". */
export function printsName(words: readonly Word[], when: ProgramTable["prints_name"]): boolean {
  if (!Array.isArray(when)) return when === true;
  return words.every(({ shape }) => isFixed(shape) && (shape[0] !== "-" || when.includes(shape)));
}

/** Whether a word sets a variable, or may. */
export function isAssignment({ shape }: Word): boolean {
  return /^[A-Za-z_]\w*=/.test(shape) || shape.startsWith(HOLE);
}

/** Whether a value of a dangerous option is one that does nothing. */
export function isHarmless(
  option: Option,
  { value, table }: { value: string; table: ProgramTable },
): boolean {
  return table.harmless?.[option.name]?.some((text) => fitsGlob(text, value)) ?? false;
}

/** What an operand of this shape is wherever it stands; undefined when its shape says nothing. */
export function shapeKind({ shape }: Word, table: ProgramTable): OperandKind | undefined {
  if (!table.shapes) return undefined;
  for (const [glob, kind] of Object.entries(table.shapes)) {
    if (fitsGlob(glob, shape)) return kind as OperandKind;
  }
  return undefined;
}

function fitsGlob(text: string, value: string): boolean {
  const glob = parseGlob(text);
  return glob.ok && matchGlob(glob.value, value);
}

const NO_KINDS: readonly string[] = [];

/** The kinds of `count` operands: what stands before the starred kind, the star as often as needed, what stands behind it. */
export function kindsOf(
  table: ProgramTable,
  { given, count }: { given: ReadonlySet<string>; count: number },
): readonly OperandKind[] {
  const with_ = table.operands_with?.find(({ options }) => options.some((name) => given.has(name)));
  const written = with_?.operands ?? table.operands ?? NO_KINDS;
  if (count === 0 || written.length === 0) return NO_KINDS as readonly OperandKind[];
  const star = written.findIndex((kind) => kind.endsWith("*"));
  if (star < 0) return written as readonly OperandKind[];
  const before = written.slice(0, star);
  const after = written.slice(star + 1);
  const many = Math.max(0, count - before.length - after.length);
  const repeated = Array.from({ length: many }, () => written[star]!.slice(0, -1));
  return [...before, ...repeated, ...after] as OperandKind[];
}
