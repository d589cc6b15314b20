import {
  type Block,
  eachWord,
  isFixed,
  literalOf,
  NAME,
  type Node,
  type Redirect,
  type Simple,
  type Word,
} from "../parse/tree.ts";
import { baseName, type ProgramCatalog } from "../programs/program_catalog.ts";
import type { Program } from "../programs/program.ts";
import type { CommandReading } from "../programs/program_use.ts";
import { innerName, readCommand, readInner } from "../programs/read_command.ts";
import { safeLoopWords, type SimpleCommand } from "./simple_command.ts";

/** Answers by node, since loops in loops ask again; a simple command is asked about by what it stands in alone. */
const known = new WeakMap<Node, boolean>();

/** The variables of loops. */
type Loops = Pick<ReadonlySet<string>, "has" | "keys" | "size">;

/** The programs, and the loops around a command whose words do not begin with "-". */
interface TreeContext {
  readonly catalog: ProgramCatalog;
  readonly loops: Loops;
  /** A command outside of loops as it is read for its effects. */
  readonly commandOf?: (simple: Simple) => Pick<SimpleCommand, "words" | "reading">;
}

/** True unless all commands below a node are certain to change no names and links in the folders. */
export function mayChangeTree(node: Node, context: TreeContext): boolean {
  const isFlat = node.kind !== "block" && (node.kind === "simple" || isShort(node.nodes));
  if (isFlat) return changes(node, context);
  let answer = known.get(node);
  if (answer === undefined) known.set(node, answer = changes(node, context));
  return answer;
}

/** True for a few simple commands, which are looked at again sooner than their answer is kept. */
function isShort(nodes: readonly Node[]): boolean {
  return nodes.length <= 8 && nodes.every(({ kind }) => kind === "simple");
}

function changes(node: Node, context: TreeContext): boolean {
  const inners = node.kind === "simple" || node.kind === "block" ? node.inners : [];
  if (inners.some((inner) => mayChangeTree(inner.node, context))) return true;
  const { catalog, loops } = context;
  if (node.kind === "simple") {
    const known = loops.size === 0 ? context.commandOf?.(node) : undefined;
    if (known !== undefined && isReadAlike(node, known)) {
      return known.words.length > 0 && !keepsTree(known.words, known.reading, catalog);
    }
    const words = eachWord(node.words, (word) => loopWord(word, loops));
    const reading = readCommand(words, programNamed(words[0], catalog));
    return words.length > 0 && !keepsTree(words, reading, catalog);
  }
  const inner = node.kind === "block" ? { ...context, loops: loopsIn(node, loops) } : context;
  return node.nodes.some((each) => mayChangeTree(each, inner));
}

/** True if the words and the program of a command are the same here and there. */
function isReadAlike({ words }: Simple, known: Pick<SimpleCommand, "words">): boolean {
  const name = words[0]?.shape ?? "";
  return known.words === words && !name.includes("/") &&
    !(name.includes(".") && /\.exe$/i.test(name));
}

function loopsIn({ sets }: Block, loops: Loops): Loops {
  const words = sets && safeLoopWords(sets.name, { words: sets.words, isPlain: true });
  return words ? new Set([...loops.keys(), sets.name]) : loops;
}

/** A word that begins with the variable of a loop is one name. */
function loopWord(word: Word, loops: Loops): Word {
  if (word.variable === undefined || !loops.has(word.variable)) return word;
  return { ...word, shape: NAME + word.shape.slice(1), splits: false };
}

/** True if a command, and each command that it runs, is certain to change no names and links. */
export function keepsTree(
  words: readonly Word[],
  { keepsTree: keeps, wrapped }: CommandReading,
  catalog: ProgramCatalog,
): boolean {
  return keeps && wrapped.every((each) => {
    if (each.kind !== "argv") return false;
    const program = programNamed(innerName(words, each), catalog);
    const reading = readInner(words, { wrapped: each, program });
    return reading.keepsTree && reading.wrapped.length === 0;
  });
}

/** The program of a name without a folder. */
function programNamed(first: Word | undefined, catalog: ProgramCatalog): Program | undefined {
  const name = first && literalOf(first);
  return name === undefined || name.includes("/") ? undefined : catalog.program(baseName(name));
}

/** Builtins that set options of the shell. */
const SETS_OPTIONS: ReadonlySet<string> = new Set([
  "shopt",
  "set",
  "setopt",
  "unsetopt",
  "emulate",
  "options",
]);

/** Options of `set` that change no file name. */
const SETS_NO_GLOB = /^(?:[-+][eux]*o?|pipefail|errexit|nounset|xtrace)$/;

/** True if a command may set an option by which globs match other names (`shopt -s dotglob`, zsh's `setopt globdots`). */
export function maySetGlobs(words: readonly Word[]): boolean {
  const name = words[0]?.shape ?? "";
  for (let at = 1; at < words.length; at++) {
    const { shape } = words[at]!;
    if (shape.length === 2 && shape === "-O") return true;
  }
  if (!SETS_OPTIONS.has(name)) return false;
  return name !== "set" || !words.every(({ shape }, at) => at === 0 || SETS_NO_GLOB.test(shape));
}

const CHANGES_FOLDER = /^(?:cd|pushd|popd|\.|source|eval|command|builtin)$/;

/** True if a command below a node may change the folder. */
export function mayChangeFolder(node: Node): boolean {
  if (node.kind === "simple") {
    const name = node.words[0]?.shape;
    return name !== undefined && (CHANGES_FOLDER.test(name) || !/^(?:[\w./-]+|\[)$/.test(name));
  }
  return node.nodes.some(mayChangeFolder);
}

/** A path whose parts are single words wherever they stand, and no options. */
const PLAIN = /^(?!-)(?!.*\/-)[\w@%+=:,./-]+$/;

/** True if a redirection of a line may make a file whose name a command would take for several words, or for an option. */
export function mayMakeUnplainName(node: Node): boolean {
  const open: Node[] = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each.kind === "simple" || each.kind === "block") {
      if (each.redirects.some(isUnplain)) return true;
      open.push(...each.inners.map((inner) => inner.node));
    }
    if (each.kind !== "simple") open.push(...each.nodes);
  }
  return false;
}

function isUnplain({ operator, target }: Redirect): boolean {
  if (!operator.includes(">")) return false;
  return target === undefined || target.splits || !isFixed(target.shape) ||
    !PLAIN.test(target.shape);
}
