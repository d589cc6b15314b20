import { HOLE, isFixed, literalOf, type Node, type Word } from "../parse/tree.ts";
import { onlyAsksAbout } from "./classes/about_itself.ts";
import type { Program } from "./program.ts";
import { printsAboutItself, type ProgramCatalog } from "./program_catalog.ts";
import { ProgramReader } from "./program_reader.ts";
import { type CommandReading, PLAIN_READING, unknownUse, type Wrapped } from "./program_use.ts";
import { readShell } from "./read_shell.ts";

/** Reads the words of a command by the table of its program. */
export function readCommand(words: readonly Word[], program: Program | undefined): CommandReading {
  if (mayAsk(words)) {
    if (program && isAboutItself(words)) return ABOUT_ITSELF;
    if (onlyAsksAbout(words)) return ANSWER;
    if (program && asksForHelp(words, program)) return HELP;
  }
  if (!program) return PLAIN_READING;
  if (program.table.inner === "shell") return readShell(words, program);
  const { separator } = program.table;
  if (separator !== undefined) return readSequence(words, { program, separator });
  return readOne(words, program);
}

/** The last reading of a wrapper's command: several questions about a line ask for it. */
let lastInner: InnerReading | undefined;

/** The first word of the command of a wrapper; undefined for a command without words. */
export function innerName(
  words: readonly Word[],
  { from, to }: Extract<Wrapped, { kind: "argv" }>,
): Word | undefined {
  return from < to ? words[from] : undefined;
}

interface InnerReading {
  readonly wrapped: Wrapped;
  readonly program: Program | undefined;
  readonly reading: CommandReading;
}

/** The reading of the command of a wrapper, without the arguments that it adds; `words` are the wrapper's. */
export function readInner(
  words: readonly Word[],
  { wrapped, program }: {
    readonly wrapped: Extract<Wrapped, { kind: "argv" }>;
    readonly program: Program | undefined;
  },
): CommandReading {
  if (lastInner?.wrapped === wrapped && lastInner.program === program) return lastInner.reading;
  const reading = readCommand(words.slice(wrapped.from, wrapped.to), program);
  lastInner = { wrapped, program, reading };
  return reading;
}

/** False for a command that asks neither for help nor about its program: most do not. */
function mayAsk(words: readonly Word[]): boolean {
  if (words.length < 2) return false;
  const last = words[words.length - 1]!.shape;
  if (words[1]!.shape === "help") return true;
  // No form is a number.
  if (last[0] === "-") return !DIGITS.includes(last[1] ?? "-");
  return last === "version" || last === "help";
}

const DIGITS = "0123456789";

/** The reading of `gh pr --help`: it only prints. */
const HELP: CommandReading = {
  ...PLAIN_READING,
  keepsTree: true,
  isKnown: true,
  onlyPrints: true,
};

/** The reading of `nmap --version`: of a program whose name must lead to it, through no manager of versions. */
const ANSWER: CommandReading = { ...HELP, onlyPrints: "direct" };

/** The reading of `node --version`, which needs no rule beside another command. */
const ABOUT_ITSELF: CommandReading = { ...HELP, isHarmless: true };

/** True for the help of a program, or of sub-commands that its table has: `gh pr --help`, `kubectl help get`. */
function asksForHelp(words: readonly Word[], program: Program): boolean {
  if (words.length < 2 || words.length > MOST_WORDS) return false;
  const isFirst = words[1]!.shape === "help";
  const last = words.length - 1;
  // All other forms end in an option, which most commands do not.
  if (!isFirst && words[last]!.shape[0] !== "-") return false;
  const key = isFirst ? "help *" : `* ${words[last]!.shape}`;
  if (!printsAboutItself(literalOf(words[0]!) ?? "", key)) return false;
  let level: Program | undefined = program;
  for (let at = isFirst ? 2 : 1; at < (isFirst ? words.length : last); at++) {
    const sub = literalOf(words[at]!);
    level = sub === undefined ? undefined : level?.sub(sub);
  }
  return level !== undefined;
}

/** The most words of a question for help. */
const MOST_WORDS = 8;

function isAboutItself(words: readonly Word[]): boolean {
  if (words.length !== 2 || words[1]!.shape[0] !== "-") return false;
  const program = literalOf(words[0]!);
  const option = literalOf(words[1]!);
  return program !== undefined && option !== undefined && printsAboutItself(program, option);
}

function readOne(words: readonly Word[], program: Program): CommandReading {
  const reader = new ProgramReader(words, program);
  reader.read();
  return reader.reading();
}

/** Reads the first of the commands that a separator parts; the others are a line of their own: `tmux ls \\; run x`. */
function readSequence(
  words: readonly Word[],
  { program, separator }: { program: Program; separator: string },
): CommandReading {
  const mayEnd = ({ shape, splits }: Word) =>
    shape.endsWith(separator) || splits || shape.endsWith(HOLE);
  const at = words.findIndex((word, index) => index > 0 && mayEnd(word));
  const last = words.length - 1;
  if (at < 0 || at === last && !words[at]!.splits) return readOne(words, program);
  const end = words[at]!;
  const rest = words.slice(at + 1);
  const own = end.shape === separator ? words.slice(0, at) : words.slice(0, at + 1);
  const reading = readOne(own, program);
  const text = [words[0]!, ...rest].map(({ raw }) => raw).join(" ");
  const why = "it is not fixed, and another command may begin after it";
  const open = words.find((word, index) => index >= at && !isFixed(word.shape));
  return {
    ...reading,
    uses: open ? [...reading.uses, unknownUse(words, { from: at, last, why })] : reading.uses,
    wrapped: rest.length === 0
      ? reading.wrapped
      : [...reading.wrapped, { kind: "line", text, last }],
  };
}

/** The kind of output that commands are certain to print, by the table of the last program. */
export function printedKindOf(
  node: Node,
  catalog: ProgramCatalog,
): CommandReading["prints"] {
  if (node.kind === "pipe") return printedKindOf(node.nodes.at(-1)!, catalog);
  if (node.kind !== "simple") return undefined;
  const name = node.words[0] && literalOf(node.words[0]);
  if (name === undefined || node.assignments.length > 0) return undefined;
  return readCommand(node.words, catalog.program(name)).prints;
}
