import { HOLE, isFixed, type Word } from "../parse/tree.ts";
import type { OperandKind, ProgramTable } from "./program_table.ts";
import {
  type AddedArguments,
  ADDS_NOTHING,
  type ProgramUse,
  unknownUse,
  type Wrapped,
} from "./program_use.ts";
import type { OptionUse } from "./read_options.ts";

/** The reason why a word before a command is unknown. */
export const SHIFTS =
  "it is not fixed, and may be an option or several words, so that another command runs";

/** True if a word may stand for several: an unquoted expansion, a glob, a loop variable. */
function mayBeMany({ splits, glob, oneOf }: Word): boolean {
  return splits || glob !== undefined || oneOf !== undefined;
}

/**
 * True if a word sets a variable before the command of `env` or `sudo`: any text with "=" does. One that begins with "/" is
 * an assignment to `env` and a program to `sudo`.
 */
export function isAssignment({ shape }: Word): boolean {
  return shape.indexOf("=") > 0 && shape[0] !== "/";
}

/** True if nothing but assignments stands before the command of a wrapper: no option, as in `env -i x`. */
export function onlyAssigns(assigns: readonly number[], [wrapped]: readonly Wrapped[]): boolean {
  return wrapped?.kind === "argv" && wrapped.from === assigns.length + 1;
}

/** True if a word that stands where a command may begin may also be no word, an option or an assignment. */
function mayPrecedeCommand(
  { shape, splits, glob }: Word,
  { table, isFirst }: { table: ProgramTable; isFirst: boolean },
): boolean {
  if (table.assigns && shape[0] === "/" && shape.includes("=")) return true;
  if (isFixed(shape)) return false;
  return splits || glob !== undefined || shape[0] === HOLE && (isFirst || table.assigns === true);
}

/** The start of the command of a wrapper, as a number of operands. */
export interface CommandStart {
  /** The number of operands before the command. */
  readonly count: number;
  /** The indices of words that set a variable. */
  readonly assigns: readonly number[];
  /** The indices of words because of which the command may begin elsewhere. */
  readonly shifts: readonly number[];
}

/**
 * The start of the command among the operands of a wrapper. Behind words that the line does not fix, which may vanish, the
 * command is read from the next word on.
 */
export function commandStart(
  words: readonly Word[],
  { operands, table, from }: {
    operands: readonly number[];
    table: ProgramTable;
    from: number;
  },
): CommandStart {
  const assigns: number[] = [];
  const shifts: number[] = [];
  let count = 0;
  // A remote command stands behind "--", if there is one: `kubectl exec pod -n x -- ls`.
  const dashes = table.remote ? operands.findIndex((at) => words[at]!.shape === "--") : -1;
  const mayBegin = table.inner !== "string" && dashes < 0;
  // To `env`, "-" is an option.
  if (table.assigns && operands[0] !== undefined && words[operands[0]]!.shape === "-") count++;
  while (table.assigns && isAssignmentAt(operands[count])) assigns.push(operands[count++]!);
  count = dashes >= 0 ? dashes + 1 : count + (table.skip ?? 0);
  for (; mayBegin && count < operands.length; count++) {
    const at = operands[count]!;
    if (table.assigns && isAssignmentAt(at)) assigns.push(at);
    else if (mayPrecedeCommand(words[at]!, { table, isFirst: count === 0 })) shifts.push(at);
    else break;
  }
  const end = operands[count] ?? words.length;
  for (let at = from; at < end; at++) {
    const { splits, glob, shape } = words[at]!;
    const isMany = glob !== undefined || splits && shape.includes(HOLE);
    if (isMany && !shifts.includes(at)) shifts.push(at);
  }
  return { count, assigns, shifts };

  function isAssignmentAt(at: number | undefined): boolean {
    return at !== undefined && isAssignment(words[at]!);
  }
}

/** The kind of output that a command is certain to print: of a name, that it does not begin with "-". */
export function printedKind(
  words: readonly Word[],
  { prints_integer: isInteger, prints_name: when }: ProgramTable,
): "integer" | "name" | undefined {
  if (isInteger) return "integer";
  const isName = Array.isArray(when)
    ? words.every(({ shape }) => isFixed(shape) && (shape[0] !== "-" || when.includes(shape)))
    : when === true;
  return isName ? "name" : undefined;
}

const NO_KINDS: readonly OperandKind[] = [];

/** The roles of the first numbers of operands by the lists of tables. */
const known = new WeakMap<readonly string[], (readonly OperandKind[])[]>();

/** The most operands whose roles are kept. */
const MOST_KNOWN = 8;

/** The roles of `count` operands behind options; the starred kind repeats as needed. May be shorter than `count`. */
export function operandKinds(
  table: ProgramTable,
  { options, count }: { options: readonly OptionUse[]; count: number },
): readonly OperandKind[] {
  if (count === 0) return NO_KINDS;
  const special = table.operands_with?.find(({ options: names }) =>
    options.some(({ option }) => names.includes(option.name))
  );
  const written = special?.operands ?? table.operands ?? NO_KINDS;
  if (written.length === 0) return NO_KINDS;
  if (count > MOST_KNOWN) return kindsIn(written, count);
  let lists = known.get(written);
  if (lists === undefined) known.set(written, lists = []);
  return lists[count] ??= kindsIn(written, count);
}

function kindsIn(written: readonly string[], count: number): readonly OperandKind[] {
  const star = written.findIndex((kind) => kind.endsWith("*"));
  if (star < 0) return written as readonly OperandKind[];
  // A source alone, as `ln -s x`, whose target is named after it.
  if (star === 0 && count === 1 && written.length === 2) {
    return [written[0]!.slice(0, -1)] as OperandKind[];
  }
  const before = written.slice(0, star);
  const after = written.slice(star + 1);
  const many = Math.max(0, count - before.length - after.length);
  const repeated = Array.from({ length: many }, () => written[star]!.slice(0, -1));
  return [...before, ...repeated, ...after] as OperandKind[];
}

/** The arguments that a wrapper with these options adds to the command among its operands. */
function addedArguments(options: readonly OptionUse[], table: ProgramTable): AddedArguments {
  const { adds, placeholders = [], adds_with = [] } = table;
  const mark = options.findLast(({ option }) => option.lists.includes("marks"));
  if (mark === undefined) {
    return placeholders.length === 0 && !adds
      ? ADDS_NOTHING
      : { atEnd: adds ? "always" : "never", placeholders };
  }
  // Of several the last one counts.
  const { value } = mark;
  const placeholder = value || "{}";
  const addsToo = options.some(({ option }) => adds_with.includes(option.name));
  const atEnd = addsToo || !isFixed(placeholder) ? "always" : "unmarked";
  return { atEnd, placeholders: [placeholder] };
}

/** The command behind an option such as `-exec`, up to the `;` or `+` at its end. */
export function commandsBehind(
  words: readonly Word[],
  { use: { first, last }, table: { adds, placeholders = ["{}"], lines } }: {
    readonly use: OptionUse;
    readonly table: ProgramTable;
  },
): readonly Wrapped[] {
  const to = /^[;+]$/.test(words[last]!.shape) ? last : last + 1;
  const added: AddedArguments = { atEnd: adds ? "unmarked" : "never", placeholders };
  const argv = { kind: "argv", from: first + 1, to, adds: added } as const;
  if (!lines || to !== first + 2) return [argv];
  return [{ kind: "line", text: words[first + 1]!.text, last: first + 1 }, argv];
}

/** The command among the operands of a wrapper. */
export interface InnerCommand {
  /** At most one; none if the wrapper runs none of its words. */
  readonly wrapped: readonly Wrapped[];
  /** Further uses, and unknown parts of the command. */
  readonly uses: readonly ProgramUse[];
}

const NOTHING: InnerCommand = { wrapped: [], uses: [] };

/**
 * The command among the operands of a wrapper: from the first operand on, or behind the `--` that ends options before it.
 * `operands` are indices of words.
 */
export function innerCommand(
  words: readonly Word[],
  { operands, table, options }: {
    operands: readonly number[];
    table: ProgramTable;
    options: readonly OptionUse[];
  },
): InnerCommand {
  const [first] = operands;
  if (first === undefined) return NOTHING;
  const { shape } = words[first]!;
  const rest = { words, table, adds: addedArguments(options, table) };
  if (!shape.startsWith("-")) return commandFrom(first, rest);
  const next = words[first + 1];
  if (next && table.run?.includes(shape)) {
    const use: ProgramUse = {
      kind: "run",
      text: `${shape} ${next.raw}`,
      value: next,
      lastWord: first + 1,
    };
    return { wrapped: [], uses: [use] };
  }
  const dashes = operands.find((at) => words[at]!.shape === "--");
  if (dashes !== undefined) return commandFrom(dashes + 1, rest);
  const why = "the start of its command is unknown";
  return { wrapped: [], uses: [unknownUse(words, { last: first, why })] };
}

function commandFrom(
  from: number,
  { words, table, adds }: {
    words: readonly Word[];
    table: ProgramTable;
    adds: AddedArguments;
  },
): InnerCommand {
  const last = words.length - 1;
  const rest = words.slice(from);
  if (rest.length === 0) return NOTHING;
  if (table.inner !== "string" && !(table.lines && rest.length === 1)) {
    return { wrapped: [{ kind: "argv", from, to: last + 1, adds }], uses: [] };
  }
  const line: Wrapped = { kind: "line", text: rest.map(lineText).join(" "), last };
  if (rest.every(({ shape }) => isFixed(shape))) return { wrapped: [line], uses: [] };
  const why = "part of the command that it runs is not fixed";
  return { wrapped: [line], uses: [unknownUse(words, { from, last, why })] };
}

/** A word as part of a line that a program joins from its operands. */
function lineText({ text, shape, raw }: Word): string {
  return isFixed(shape) ? shape : text || raw;
}

/** The reason why a word that may be several files is unknown. */
export const MAY_BE_OUTPUTS = "it may be several words, one of them a file that is written";

/** The first operand that may become several words, of which one may be a file that the program writes. */
export function mayBeOutputs(
  words: readonly Word[],
  operands: readonly number[],
): number | undefined {
  return operands.find((at) => !isFixed(words[at]!.shape) && mayBeMany(words[at]!));
}
