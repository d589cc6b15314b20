import { COMMAND_CLASSES, type CommandClass } from "../../../model/call.ts";
import { isFixed, type Word } from "../../parse/tree.ts";
import { EVER, requestClass } from "../class_conditions.ts";
import { classesOfUrls, isSafe, isSpared } from "../class_options.ts";
import { ALWAYS } from "../program.ts";
import type { ProgramTable } from "../program_table.ts";
import type { CommandReading, Level, ProgramUse } from "../program_use.ts";
import { namesVerbs } from "../project_scripts.ts";
import type { Arguments } from "../read_options.ts";

/** Adds the classes of the options and operands that are given. */
export function addGiven(set: Set<CommandClass>, levels: readonly Level[]): void {
  for (const level of levels) {
    const { classes, safe } = level.program.table;
    if (classes === undefined) continue;
    const args = safe === undefined ? level.args : addingClasses(level);
    for (const name in classes) {
      if (isGiven(classes[name as CommandClass], args)) set.add(name as CommandClass);
    }
  }
}

/** Adds the classes of the files that a command writes and the URLs that it fetches; false if the host of one is not known. */
export function addFiles(set: Set<CommandClass>, uses: readonly ProgramUse[]): boolean {
  if (uses.length > 0 && onlyReads(set)) {
    if (uses.some(({ kind }) => kind === "write" || kind === "output" || kind === "fill")) {
      set.add("edit");
    }
    if (uses.some(({ kind }) => kind === "url")) set.add("fetch");
  }
  if (!set.has("fetch")) return true;
  const ofUrls = classesOfUrls(uses);
  for (const each of ofUrls ?? []) set.add(each);
  return ofUrls !== undefined;
}

/** Adds and takes away the classes that the words of a command decide beside its table's own. */
export function addArguments(
  set: Set<CommandClass>,
  { words, levels, wrapped }: Pick<CommandReading, "levels" | "wrapped"> & {
    readonly words: readonly Word[];
  },
): void {
  const last = levels[levels.length - 1]!;
  const { program: { table }, args } = last;
  if (table.scripts && !namesVerbs(words, { scripts: table.scripts, operands: args.operands })) {
    set.delete("project");
    set.add("code");
  }
  for (const { program: { table: { without } } } of levels) {
    for (const name of without ? Object.keys(without) as CommandClass[] : []) {
      if (isSpared(without![name]!, { words, args })) set.delete(name);
    }
  }
  if (showsEnvironment(words, table.language) || filtersEnvironment(last)) set.add("secret");
  if (table.request) set.add(requestClass(words, last));
  // Without a command it prints the variables.
  if (table.assigns && table.inner && wrapped.length === 0) set.add("secret");
}

/** True for classes of a program that does not itself write the files that its words name. */
function onlyReads(set: ReadonlySet<CommandClass>): boolean {
  for (const each of set) {
    if (each !== "read" && each !== "fetch" && each !== "service-read") return false;
  }
  return true;
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

/** Each class alone. */
const ALONE: ReadonlyMap<CommandClass, readonly CommandClass[]> = new Map(
  COMMAND_CLASSES.map((name) => [name, [name]]),
);

/** The classes of a set in their order; `read` stands in it alone, for every other implies it. */
export function inOrder(set: ReadonlySet<CommandClass>): readonly CommandClass[] {
  if (set.size === 1) {
    for (const each of set) return ALONE.get(each)!;
  }
  const all = COMMAND_CLASSES.filter((each) => set.has(each));
  return all.length > 1 ? all.filter((each) => each !== "read") : all;
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
