/** A second witness for the tables of programs: the facts of a collection of completions, and where a table says something else. */
import type { CommandClass } from "../../lib/model/call.ts";
import type { Effect } from "../../lib/shell/effect.ts";
import { defaultCatalog } from "../../lib/shell/programs/program_catalog.ts";
import type { Option, Program } from "../../lib/shell/programs/program.ts";
import { readLine } from "../../lib/shell/read_line.ts";

/** An operand, or the value of an option. */
export interface ArgumentFact {
  readonly kind: "any" | "file" | "folder" | "command";
  readonly isOptional?: true;
  readonly isVariadic?: true;
}

/** An option under all its names; without values it is a flag. */
export interface OptionFact {
  readonly names: readonly string[];
  readonly values: readonly ArgumentFact[];
  /** True if its value stands in its own word only. */
  readonly isGlued?: true;
  /** True if its description speaks of a change. */
  readonly changes?: true;
}

/** A program or a sub-command. */
export interface CommandFact {
  readonly options: readonly OptionFact[];
  readonly operands: readonly ArgumentFact[];
  readonly changes?: true;
}

/** Operands that a line may need so that its table gives it a class. */
const TAILS = ["", " zz1", " zz1 zz2"];

/** The word that must be seen as a file, a folder or a command. */
const MARK = "zq7";

const HARMLESS: ReadonlySet<CommandClass> = new Set(["read", "service-read"]);

/** The classes of a line that a class rule may cover, and true for `sees` if a file, folder or command is seen in the mark. */
interface Classed {
  readonly classes: readonly CommandClass[];
  readonly sees: boolean;
}

/** The reading of a line; undefined if no class rule covers it. */
function classed(text: string): Classed | undefined {
  const { effects } = readLine(text, { wantsClasses: true });
  const classes = effects.flatMap(({ traits }) => traits?.().classes ?? []);
  const isUnknown = classes.length === 0 || classes.includes("unknown") ||
    classes.includes("code") || effects.some(({ kind }) => kind === "opaque");
  return isUnknown ? undefined : { classes, sees: effects.some(seesMark) };
}

function seesMark({ kind, text, traits, name }: Effect): boolean {
  if (kind !== "command") return text.includes(MARK);
  const { searches = [], reads = [], operands = [] } = traits?.() ?? {};
  return name === MARK || operands.some((operand) => operand.includes(MARK)) ||
    [...searches.map(({ path }) => path), ...reads.map(({ text }) => text)]
      .some((path) => path.includes(MARK));
}

/** The reading of the first of the lines with other operands behind it that has a class; undefined if none has. */
function classedLine(text: string): Classed | undefined {
  for (const tail of TAILS) {
    const found = classed(text + tail);
    if (found) return found;
  }
  return undefined;
}

/** True if a class rule may cover a command, as it stands, with operands or with the options that it needs. */
export function mayHaveClass(command: string): boolean {
  return classedLine(command) !== undefined || deepest(command)?.table.needs !== undefined;
}

/** The deepest program or sub-command that has a table of its own. */
function deepest(command: string): Program | undefined {
  const [name = "", ...subs] = command.split(" ");
  let program = defaultCatalog().program(name);
  for (const sub of subs) {
    const next: Program | undefined = program?.sub(sub);
    if (next === undefined) break;
    program = next;
  }
  return program;
}

function tableOption(name: string, { options, table }: Program): Option | undefined {
  return options.get(name) ??
    (table.style === "words" ? options.get(name.replace(/^--/, "-")) : undefined);
}

/** The part of a fact that a table can contradict: the options that it names. */
export function judgedFact(command: string, fact: CommandFact): CommandFact {
  const program = deepest(command);
  const isNamed = (name: string) =>
    program !== undefined && tableOption(name, program) !== undefined;
  const options = fact.options.map((option) => ({ ...option, names: option.names.filter(isNamed) }))
    .filter(({ names }) => names.length > 0);
  return { ...fact, options };
}

/**
 * The differences that a list with reasons names. An entry may stand for several options of a command: `git log -a -b: a value`.
 */
export function excusedIn(list: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(list).flat().flatMap((entry) => {
    const [command = "", difference = ""] = entry.split(": ");
    const words = command.split(" ");
    const options = words.filter((word) => word.startsWith("-"));
    const name = words.filter((word) => !word.startsWith("-")).join(" ");
    if (options.length === 0) return [`${name}: ${difference}`];
    return options.map((option) => `${name} ${option}: ${difference}`);
  });
}

/** The difference of a table and a fact in the words that an option takes; undefined if there is none. */
function arityDifference({ values, isGlued }: OptionFact, option: Option): string | undefined {
  const [value, second] = values;
  if (value === undefined) return option.takes === "needed" ? "no value" : undefined;
  if (isGlued) return option.takes === "needed" ? "a value in its own word" : undefined;
  if (value.isOptional) return option.takes === "needed" ? "an optional value" : undefined;
  if (option.lists.includes("commands")) return undefined;
  if (option.takes !== "needed") return "a value";
  if (second && !second.isOptional) return "two values";
  return value.isVariadic ? "several values" : undefined;
}

function optionDifferences(
  command: string,
  { fact, program }: { fact: OptionFact; program: Program },
): readonly string[] {
  const kind = fact.values[0]?.kind ?? "any";
  return fact.names.flatMap((name) => {
    const option = tableOption(name, program);
    if (option === undefined) return [];
    const arity = arityDifference(fact, option);
    const isFile = kind !== "any" && option.takes !== "none";
    // Reading a line costs more than all else.
    const line = arity === undefined && !isFile && !fact.changes
      ? undefined
      : classedLine(`${command} ${withValue(name, option)}`);
    if (line === undefined) return [];
    return [
      ...(arity === undefined ? [] : [`${command} ${name}: ${arity}`]),
      ...(isFile && !line.sees ? [`${command} ${name}: a ${kind}`] : []),
      ...(fact.changes && areHarmless(line) ? [`${command} ${name}: a change`] : []),
    ];
  });
}

/** An option with the mark as its value, if it takes one. */
function withValue(name: string, { takes }: Option): string {
  if (takes === "none") return name;
  return `${name}${takes === "needed" ? " " : name.startsWith("--") ? "=" : ""}${MARK}`;
}

function areHarmless({ classes }: Classed): boolean {
  return classes.every((each) => HARMLESS.has(each));
}

function operandDifferences(command: string, operands: readonly ArgumentFact[]): readonly string[] {
  return operands.flatMap(({ kind }, at) => {
    if (kind === "any") return [];
    const before = operands.slice(0, at).map((_, index) => ` zz${index}`).join("");
    const line = classed(`${command}${before} ${MARK}`);
    return line && !line.sees ? [`${command}: operand ${at + 1} is a ${kind}`] : [];
  });
}

/** The differences between the tables and the facts about a command, each as a line of text; none where it has no class. */
export function differencesOf(command: string, fact: CommandFact): readonly string[] {
  const program = deepest(command);
  if (program === undefined) return [];
  const line = fact.changes && command.includes(" ") ? classedLine(command) : undefined;
  return [
    ...(line && areHarmless(line) ? [`${command}: a change`] : []),
    ...operandDifferences(command, fact.operands),
    ...fact.options.flatMap((option) => optionDifferences(command, { fact: option, program })),
  ];
}
