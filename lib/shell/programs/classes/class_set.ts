import { COMMAND_CLASSES, type CommandClass } from "../../../model/call.ts";
import { isFixed, type Word } from "../../parse/tree.ts";
import { EVER, requestClass } from "../class_conditions.ts";
import { classesOfUrls, isSafe, isSpared } from "../class_options.ts";
import { ALWAYS } from "../program.ts";
import type { ProgramTable } from "../program_table.ts";
import type { CommandReading, Level, ProgramUse } from "../program_use.ts";
import { namesVerbs } from "../project_scripts.ts";
import type { Arguments } from "../read_options.ts";

/** A set of classes as a number: a bit for each, in their order. */
export type ClassBits = number;

/** The bit of each class. */
export const BIT = Object.fromEntries(
  COMMAND_CLASSES.map((name, at) => [name, 1 << at]),
) as Readonly<Record<CommandClass, ClassBits>>;

/** The set of some classes. */
export function bitsOf(classes: readonly CommandClass[]): ClassBits {
  let bits = 0;
  for (let at = 0; at < classes.length; at++) bits |= BIT[classes[at]!];
  return bits;
}

/** The sets that were asked for: there are few. */
const byBits = new Map<ClassBits, readonly CommandClass[]>();

/** The classes of a set in their order; `read` stands in it alone, for every other implies it. */
export function classesIn(bits: ClassBits): readonly CommandClass[] {
  let found = byBits.get(bits);
  if (found === undefined) {
    const others = bits & ~BIT.read;
    const shown = others === 0 ? bits : others;
    // A caller that writes into them would change every other verdict.
    found = Object.freeze(COMMAND_CLASSES.filter((name) => (shown & BIT[name]) !== 0));
    byBits.set(bits, found);
  }
  return found;
}

/** The classes of the options and operands that are given. */
export function givenClasses(levels: readonly Level[]): ClassBits {
  let bits = 0;
  for (let at = 0; at < levels.length; at++) {
    const level = levels[at]!;
    const { classes, safe } = level.program.table;
    if (classes === undefined) continue;
    bits |= classesBy(classes, safe === undefined ? level.args : addingClasses(level));
  }
  return bits;
}

/** The classes by the flags that add them, as `isGiven` reads a list. */
interface ClassFlags {
  readonly bits: ReadonlyMap<string, ClassBits>;
  /** True if some flags have a value. */
  readonly haveValues: boolean;
}

const classFlags = new WeakMap<NonNullable<ProgramTable["classes"]>, ClassFlags>();

function classesBy(
  classes: NonNullable<ProgramTable["classes"]>,
  { options, operands }: Arguments,
): ClassBits {
  let flags = classFlags.get(classes);
  if (flags === undefined) classFlags.set(classes, flags = flagsOf(classes));
  const { bits, haveValues } = flags;
  let found = bits.get(EVER) ?? 0;
  if (operands.length > 0) found |= bits.get(ALWAYS) ?? 0;
  for (let at = 0; at < options.length; at++) {
    const { option: { name }, value } = options[at]!;
    found |= bits.get(name) ?? 0;
    if (haveValues) found |= bits.get(`${name}=${value}`) ?? 0;
  }
  return found;
}

function flagsOf(classes: NonNullable<ProgramTable["classes"]>): ClassFlags {
  const bits = new Map<string, ClassBits>();
  for (const [name, list] of Object.entries(classes) as [CommandClass, readonly string[]][]) {
    for (const flag of list) bits.set(flag, (bits.get(flag) ?? 0) | BIT[name]);
  }
  return { bits, haveValues: [...bits.keys()].some((flag) => flag.includes("=")) };
}

/** Classes of programs that do not themselves write the files that their words name. */
const ONLY_READ = bitsOf(["read", "fetch", "service-read"]);

/**
 * A set with the classes of the files that a command writes and the URLs that it fetches; undefined if the host of one is not
 * known.
 */
export function withFiles(bits: ClassBits, uses: readonly ProgramUse[]): ClassBits | undefined {
  let found = bits;
  if ((bits & ~ONLY_READ) === 0) {
    for (let at = 0; at < uses.length; at++) {
      const { kind } = uses[at]!;
      if (kind === "write" || kind === "output" || kind === "fill") found |= BIT.edit;
      else if (kind === "url") found |= BIT.fetch;
    }
  }
  if ((found & BIT.fetch) === 0) return found;
  const ofUrls = classesOfUrls(uses);
  return ofUrls === undefined ? undefined : found | bitsOf(ofUrls);
}

/** A set with the classes that the words of a command decide beside its table's own, and without those that they take away. */
export function withArguments(
  bits: ClassBits,
  { words, levels, wrapped }: Pick<CommandReading, "levels" | "wrapped"> & {
    readonly words: readonly Word[];
  },
): ClassBits {
  const last = levels[levels.length - 1]!;
  const { program: { table }, args } = last;
  let found = bits;
  if (table.scripts && !namesVerbs(words, { scripts: table.scripts, operands: args.operands })) {
    found = found & ~BIT.project | BIT.code;
  }
  for (let at = 0; at < levels.length; at++) {
    const { without } = levels[at]!.program.table;
    if (without !== undefined) found &= ~sparedBits(without, { words, args });
  }
  if (showsEnvironment(words, table.language) || filtersEnvironment(last)) found |= BIT.secret;
  if (table.request) found |= BIT[requestClass(words, last)];
  // Without a command it prints the variables.
  if (table.assigns && table.inner && wrapped.length === 0) found |= BIT.secret;
  return found;
}

function sparedBits(
  without: NonNullable<ProgramTable["without"]>,
  given: Parameters<typeof isSpared>[1],
): ClassBits {
  const names = Object.keys(without) as CommandClass[];
  return bitsOf(names.filter((name) => isSpared(without[name]!, given)));
}

/** The arguments of a level without the options whose values add no class. */
export function addingClasses({ args, program: { table } }: Level): Arguments {
  return { ...args, options: args.options.filter((use) => !isSafe(use, table)) };
}

/** True if a filter of jq among the options may print the environment. */
function filtersEnvironment({ args: { options }, program: { table } }: Level): boolean {
  const { filters } = table;
  return filters !== undefined &&
    options.some(({ option, value = "" }) =>
      filters.includes(option.name) && (ENVIRONMENT.jq!.test(value) || !isFixed(value))
    );
}

/** The environment in a script; `.env` is a field of jq's input. */
const ENVIRONMENT: Readonly<Partial<Record<string, RegExp>>> = {
  awk: /ENVIRON/,
  jq: /\bENV\b|(?<!(?<!\.)\.)\benv\b/,
  yq: /\bENV\b|(?<!(?<!\.)\.)\benv\b|strenv|envsubst|eval/,
};

/** True if a word of a command may be a script that prints the environment. */
function showsEnvironment(words: readonly Word[], language: ProgramTable["language"]): boolean {
  const pattern = language && ENVIRONMENT[language];
  return pattern !== undefined &&
    words.some(({ shape }, at) => at > 0 && pattern.test(shape.replaceAll("\\\n", "")));
}

/** True if an option of a list stands among the arguments; `*`: any operand does, but in the list of flags that always hold. */
export function isGiven(
  list: readonly string[] | undefined,
  { options, operands }: Arguments,
): boolean {
  if (list === undefined) return false;
  return options.some(({ option: { name }, value }) =>
    list.includes(name) || list.includes(`${name}=${value}`)
  ) ||
    list.includes(ALWAYS) && operands.length > 0 || list.includes(EVER);
}
