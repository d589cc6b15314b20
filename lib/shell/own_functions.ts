import { definesFunction, parseLine } from "./parse/parse_line.ts";
import type { Shell } from "./parse/shell.ts";
import {
  type Assignment,
  eachWord,
  fixedWord,
  isFixed,
  literalOf,
  type Node,
  type ParsedLine,
  type Simple,
} from "./parse/tree.ts";
import { commandClasses } from "./programs/command_classes.ts";
import type { ProgramCatalog } from "./programs/program_catalog.ts";
import { printedKindOf, readCommand } from "./programs/read_command.ts";

/** A line, and whether it may define a function, which could have the name of a program. */
export interface OwnLine {
  readonly line: ParsedLine;
  readonly hasFunctions: boolean;
}

/** Parses a line, in which no program of the tables is known if a function may have its name. */
export function parseOwnLine(text: string, options: OwnLineOptions): OwnLine {
  if (!definesFunction(text)) {
    const line = withoutFunctions(text, options);
    return line.definesFunctions
      ? { line: withFunctions(text, options), hasFunctions: true }
      : { line, hasFunctions: false };
  }
  const line = withFunctions(text, options);
  const isOnlyData = line.fault === undefined && !line.definesFunctions &&
    line.node !== undefined && !mayRunDefinition(line.node, options.catalog);
  return isOnlyData
    ? { line: withoutFunctions(text, options), hasFunctions: false }
    : { line, hasFunctions: true };
}

interface OwnLineOptions {
  readonly catalog: ProgramCatalog;
  readonly shell: Shell;
}

function withoutFunctions(text: string, { catalog, shell }: OwnLineOptions): ParsedLine {
  const printedKind = (inner: Node) => printedKindOf(inner, catalog);
  return parseLine(text, { printedKind, shell });
}

function withFunctions(text: string, { shell }: OwnLineOptions): ParsedLine {
  return parseLine(text, { printedKind: printsAnything, shell });
}

/** Commands print anything where a function may have their name. */
const printsAnything = (): undefined => undefined;

/** True if a command may run text that seems to define a function. A program with known classes does not run its data. */
function mayRunDefinition(node: Node, catalog: ProgramCatalog): boolean {
  if (node.kind === "sequence" || node.kind === "pipe") {
    return node.nodes.some((each) => mayRunDefinition(each, catalog));
  }
  if (node.inners.some((inner) => mayRunDefinition(inner.node, catalog))) return true;
  const isGiven = node.redirects.some(({ target }) => target && definesFunction(target.text));
  if (node.kind === "simple") {
    return (isGiven || definesFunction(node.text)) && !takesData(node, catalog);
  }
  const { sets, nodes } = node;
  return isGiven || (sets?.words?.some(({ raw }) => definesFunction(raw)) ?? false) ||
    nodes.some((each) => mayRunDefinition(each, catalog));
}

/** True for a command that runs none of its words, nor its standard input. */
function takesData({ words, assignments }: Simple, catalog: ProgramCatalog): boolean {
  if (words.length === 0) return assignments.every(isOfCommand);
  const name = literalOf(words[0]!);
  const program = name === undefined ? undefined : catalog.program(name);
  if (program === undefined || assignments.length > 0) return false;
  if (program.table.opaque || program.table.prompt) return false;
  // The loop that gives a word its text is not looked at here.
  const fixed = eachWord(words, (word) => isFixed(word.shape) ? word : fixedWord("x"));
  const reading = readCommand(fixed, program);
  if (readCommand(words, program).wrapped.length + reading.wrapped.length > 0) return false;
  const known = commandClasses(fixed, reading);
  return typeof known !== "string" && !known.classes.includes("code");
}

/** True for an assignment of what a command prints. */
function isOfCommand({ raw, value }: Assignment): boolean {
  return !definesFunction(raw) || /^"?\$\(.*\)"?$/s.test(value.raw);
}
