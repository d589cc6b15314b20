import type { ProgramCatalog } from "./programs/programs.ts";
import type { Arithmetic, Word } from "./parse/tree.ts";

/** Arithmetic whose names are judged when the whole line was read, and who is told. */
interface Pending {
  readonly arithmetic: Arithmetic;
  readonly tell: (why: string) => void;
}

/** Variables that the shell sets by itself, to what a line gives it. */
const SET_BY_SHELL = [
  "_",
  "REPLY",
  "OPTARG",
  "MAPFILE",
  "COPROC",
  "BASH_REMATCH",
  "BASH_ARGV",
  "BASH_COMMAND",
  "FUNCNAME",
  "DIRSTACK",
  "PWD",
  "OLDPWD",
  "BASH_EXECUTION_STRING",
  "BASH_SOURCE",
  "BASH_ARGV0",
];

/** What holds for the whole line: the variables that it sets, whether it makes links. */
export class LineState {
  /** What is known of programs and variables. */
  readonly catalog: ProgramCatalog;
  /** Whether some command of the line may make a link, so that paths may lead elsewhere afterwards. */
  links = false;
  /** Whether the line defines a function. */
  functions = false;
  /** Whether a glob may stand for names that begin with a dot. */
  dots = false;
  /** Variables that the line sets to something that is not surely an integer; `@` for parameters. */
  readonly #texts = new Set<string>(SET_BY_SHELL);
  /** Variables that are set by something else than a loop. */
  readonly #set = new Set<string>(SET_BY_SHELL);
  /** Variables of loops whose words were believed. */
  readonly #believed = new Set<string>();
  readonly #pending: Pending[] = [];

  constructor(knowledge: ProgramCatalog) {
    this.catalog = knowledge;
  }

  /** Notes that a variable is set; `value` undefined: to anything. */
  set(name: string, value?: Word): void {
    this.#set.add(name);
    this.#note(name, value);
  }

  /** Notes the words of a loop; `believed`: that its variable is one of them. */
  setLoop(name: string, { words, believed }: { words: readonly Word[]; believed: boolean }): void {
    // In a function a loop may run within another of the same variable.
    if (!believed || this.functions && this.#believed.has(name)) this.#set.add(name);
    if (believed) this.#believed.add(name);
    for (const word of words) this.#note(name, word);
  }

  /** Whether something else sets a variable that was taken for one of its loop's words. */
  isLoopMistaken(): boolean {
    const open = [...this.#set].some((name) => !/^[@\w]+$/.test(name));
    return [...this.#believed].some((name) => open || this.#set.has(name));
  }

  #note(name: string, value: Word | undefined): void {
    const integer = value && (value.integer || /^-?\d+$/.test(value.shape));
    if (!integer) this.#texts.add(/^\d+$/.test(name) ? "@" : name);
  }

  /** Remembers arithmetic until the whole line was read. */
  later(arithmetic: readonly Arithmetic[], tell: (why: string) => void): void {
    for (const each of arithmetic) {
      if (each.names.length > 0) this.#pending.push({ arithmetic: each, tell });
    }
  }

  /** Judges all arithmetic: a variable's value is evaluated, and runs what stands in a subscript. */
  finish(): void {
    for (const { arithmetic, tell } of this.#pending) {
      const name = arithmetic.names.find((each) =>
        this.#texts.has(/^[\d@*]/.test(each) ? "@" : each)
      );
      if (name !== undefined) {
        tell(`arithmetic evaluates what "${name}" holds, which the line sets`);
      }
    }
  }
}
