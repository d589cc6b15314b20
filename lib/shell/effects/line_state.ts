import { BroughtFiles, onlyReads } from "./brought_files.ts";
import type { Line } from "./command_context.ts";
import { beginsOnHost, type Folders, joinPath } from "./folders.ts";
import {
  type KnownVariables,
  knownVariables,
  NONE_KNOWN,
  SET_BY_SHELL,
} from "./known_variables.ts";
import { mayChangeTree, mayMakeUnplainName, maySetGlobs } from "./may_change_tree.ts";
import type { Arithmetic, Node, Simple, Word } from "../parse/tree.ts";
import type { Shell } from "../parse/shell.ts";
import type { ChangedPath } from "../effect.ts";
import type { SimpleCommand } from "./simple_command.ts";
import { baseName, type ProgramCatalog } from "../programs/program_catalog.ts";

/** Arithmetic that is checked at the end of the line, and the report of an unknown effect. */
interface PendingArithmetic {
  readonly arithmetic: Arithmetic;
  readonly report: (why: string) => void;
}

/** The most changed paths that are told apart. */
const MAX_CHANGED = 32;

/** Variables, links and shell options that commands of a line set for the whole line. One per line; grows while it is read. */
export class LineState {
  readonly catalog: ProgramCatalog;
  /** The shell that the line is read for. */
  readonly shell: Shell;
  /** True if the line may define a function. */
  readonly hasFunctions: boolean;
  /** Variables that the line sets to a text that may not be an integer; `@` for parameters. */
  #texts: Set<string> | undefined;
  /** Variables that something other than a loop sets. */
  #set: Set<string> | undefined;
  /** Loop variables that the reading takes for one of their loop's words. */
  #trusted: Set<string> | undefined;
  readonly #pending: PendingArithmetic[] = [];
  /** Globs of names that the line takes for single words if they are plain. */
  plainNames: Set<string> | undefined;
  /** True if such names are plain. */
  readonly hasPlainNames: boolean;
  /** True if the classes of commands are wanted. */
  readonly wantsClasses: boolean;
  /** The files that its commands may make. */
  readonly brought: BroughtFiles = new BroughtFiles();
  /** Of each command so far but wrappers: true if it removes and fetches no files but those that it names. */
  readonly earlier: (() => boolean)[] = [];
  readonly #node: Node;
  #variables: KnownVariables | undefined;
  #makesUnplainName: boolean | undefined;
  #changesTree: boolean;
  /** Questions if something changed the tree as well, which are answered in order where a glob needs it. */
  #mayHaveChanged: (() => boolean)[] | undefined;
  /** The number of their answers, and the place of the first that is yes. */
  #answers = 0;
  #firstYes = Infinity;
  #makesLinks = false;
  #makesFiles = false;
  #changed: readonly ChangedPath[] = [];
  #globsMatchDots = false;
  #givesInput = false;
  #setsHost = false;

  constructor({ hasFunctions, node, catalog, shell, hasPlainNames, wantsClasses }: Line) {
    this.#node = node;
    this.wantsClasses = wantsClasses;
    this.catalog = catalog;
    this.shell = shell;
    // A function may have the name of a program that changes nothing.
    this.#changesTree = this.hasFunctions = hasFunctions;
    this.hasPlainNames = hasPlainNames;
  }

  /** The words that show no secret of the environment. */
  get variables(): KnownVariables {
    return this.#variables ??= this.wantsClasses ? knownVariables(this.#node) : NONE_KNOWN;
  }

  /** True once a command may have changed what names mean. */
  get changesTree(): boolean {
    return this.treeSoFar()();
  }

  /** A question, to be asked at any time, if a command so far may have changed what names mean. */
  treeSoFar(): () => boolean {
    const isChanged = this.#changesTree;
    const count = this.#mayHaveChanged?.length ?? 0;
    return () => isChanged || this.#hasYes(count);
  }

  /** True if the answer to one of the first questions is yes. */
  #hasYes(count: number): boolean {
    while (this.#answers < count && this.#firstYes === Infinity) {
      if (this.#mayHaveChanged![this.#answers]!()) this.#firstYes = this.#answers;
      this.#answers++;
    }
    return this.#firstYes < count;
  }

  /** Records that a command may change what names mean. */
  treeChanges(): void {
    this.#changesTree = true;
  }

  /** Records a question whose answer says if a command may have changed what names mean. */
  treeChangesIf(mayHaveChanged: () => boolean): void {
    if (this.#changesTree) return;
    if (this.#mayHaveChanged === undefined) this.#mayHaveChanged = [mayHaveChanged];
    else this.#mayHaveChanged.push(mayHaveChanged);
  }

  /** Records a node that runs repeatedly or beside others: what any of it changes counts for all of it. */
  treeMayChange(
    node: Node,
    { loops, commandOf }: {
      readonly loops: ReadonlyMap<string, unknown>;
      /** A command outside of loops. */
      readonly commandOf: (simple: Simple) => SimpleCommand;
    },
  ): void {
    if (node.kind === "block") this.#optionsInLoop(node.text);
    const { catalog } = this;
    this.treeChangesIf(() => mayChangeTree(node, { catalog, loops, commandOf }));
  }

  /**
   * True if file names, given by globs seen from some folders, are taken for single words; else records that they could be.
   */
  takesPlain(globs: readonly string[], { paths, open }: Folders): boolean {
    if (this.#globsMatchDots || this.#makesLinks || open || this.changesTree) return false;
    // A redirection of any part of the line may come first.
    this.#makesUnplainName ??= mayMakeUnplainName(this.#node);
    if (this.#makesUnplainName) return false;
    for (const folder of paths) {
      const start = folder === "" ? "" : folder.replace(/[\\*?[\]{}]/g, "\\$&");
      for (const glob of globs) (this.plainNames ??= new Set()).add(joinPath(start, glob));
    }
    return this.hasPlainNames;
  }

  /** True once a command may have made a link, so that a path may lead elsewhere. */
  get makesLinks(): boolean {
    return this.#makesLinks;
  }

  /** True once globs may match names that begin with a dot. */
  get globsMatchDots(): boolean {
    return this.#globsMatchDots;
  }

  /** True once `exec` has given all commands that follow their standard input. */
  get givesInput(): boolean {
    return this.#givesInput;
  }

  /** Records that `exec <` gives all commands that follow their standard input. */
  giveInput(): void {
    this.#givesInput = true;
  }

  /** Records that a command ends that may have made a link. */
  linksAfter(words: readonly Word[]): void {
    const name = words[0]?.shape ?? "";
    const last = name[name.length - 1];
    const mayBeLn = last === "n" || last === "e" || last === "E";
    if (mayBeLn && baseName(name) === "ln") this.#makesLinks = true;
  }

  /** The names that earlier commands may have made links; not those of `makesLinks`, which may be any. */
  get changed(): readonly ChangedPath[] {
    return this.#changed;
  }

  /** Records names that may be links from now on. */
  addChanged(paths: readonly ChangedPath[]): void {
    if (paths.length === 0) return;
    const all = [...this.#changed, ...paths];
    const isKnown = new Set<string>();
    const each = all.filter(({ path, isTree }) => {
      const key = `${isTree} ${path}`;
      return !isKnown.has(key) && isKnown.add(key);
    });
    // More of them stand for the whole tree.
    this.#changed = each.length > MAX_CHANGED ? [{ path: "", isTree: true }] : each;
  }

  /** Records that any name of the workspace may be a link from now on. */
  expectLinks(): void {
    this.addChanged([{ path: "", isTree: true }]);
  }

  /** True once a command may have made files of names that the line or an archive chooses, and so a repository. */
  get makesFiles(): boolean {
    return this.#makesFiles;
  }

  /**
   * Records the end of a command that may have made files. Code that a program exists to run does not count: a rule that
   * allows it lets it do everything that a repository could.
   */
  filesAfter({ words, node, reading }: Pick<SimpleCommand, "words" | "node" | "reading">): void {
    // Most commands only read.
    if (reading.isKnown && node.redirects.length === 0 && onlyReads(reading)) {
      return this.brought.afterReading(reading);
    }
    const opens = node.redirects.some(({ operator, target }) =>
      operator !== "<" && !operator.startsWith("<<") &&
      !/^(?:\d+-?|-|\/dev\/null)$/.test(target?.shape ?? "")
    );
    const writes = reading.relinks !== undefined ||
      reading.uses.some(({ kind, isOrdinaryScript }) =>
        kind === "write" || kind === "output" || kind === "fill" ||
        kind === "unknown" && !isOrdinaryScript
      );
    const isUnknown = !reading.isKnown && words.length > 0 &&
      !/^(?:cd|pushd|popd)$/.test(words[0]!.shape);
    if (opens || writes || isUnknown) this.#makesFiles = true;
    this.brought.after({ node, reading }, { isUnknown });
  }

  /** Records that a loop begins: each round runs after all of its commands. */
  linksInLoop(text: string): void {
    this.#makesFiles = true;
    this.brought.expectAny();
    if (/\bln\b/.test(text)) this.#makesLinks = true;
  }

  /** Records the shell options that a command may set (`shopt -s dotglob`, zsh's `setopt globdots`). */
  optionsAfter(words: readonly Word[]): void {
    if (maySetGlobs(words)) this.#globsMatchDots = true;
  }

  /** Records that a loop or function begins, in which a later command may set an option before an earlier one runs again. */
  #optionsInLoop(text: string): void {
    if (/\b(?:shopt|setopt|unsetopt|emulate|set)\b/.test(text)) this.#globsMatchDots = true;
  }

  /** The reason why setting a variable is unknown; undefined if that does not change what runs afterwards. */
  steeringReason(variable: string, value?: string): string | undefined {
    return this.catalog.variableKind(variable, value) === "steering"
      ? `"${variable}" changes what runs afterwards`
      : undefined;
  }

  /** Records that a variable is set, without `value` to any text. */
  set(name: string, value?: Word): void {
    (this.#set ??= new Set()).add(name);
    this.#addText(name, value);
  }

  /** Records the words of a loop; `trusted`: the reading takes its variable for one of them. */
  setLoop(name: string, { words, trusted }: { words: readonly Word[]; trusted: boolean }): void {
    // In a function, a loop may run inside another one of the same variable.
    if (!trusted || this.hasFunctions && this.#trusted?.has(name)) {
      (this.#set ??= new Set()).add(name);
    }
    if (trusted) (this.#trusted ??= new Set()).add(name);
    for (const word of words) this.#addText(name, word);
  }

  /** True if something else sets a variable that was taken for one of its loop's words. */
  mistookLoop(): boolean {
    if (this.#trusted === undefined) return false;
    const set = this.#set ?? new Set();
    const open = [...set].some((name) => !/^[@\w]+$/.test(name));
    return [...this.#trusted].some((name) => open || set.has(name) || SET_BY_SHELL.has(name));
  }

  #addText(name: string, value: Word | undefined): void {
    if (value && beginsOnHost(value.shape)) this.#setsHost = true;
    const isInteger = value && (value.integer || /^-?\d+$/.test(value.shape));
    if (!isInteger) (this.#texts ??= new Set()).add(/^\d+$/.test(name) ? "@" : name);
  }

  /** True if a variable may begin a path that leads to another machine. */
  get setsHost(): boolean {
    return this.#setsHost;
  }

  /** Keeps arithmetic for `checkArithmetic`. */
  keepArithmetic(arithmetic: readonly Arithmetic[], report: (why: string) => void): void {
    for (const each of arithmetic) {
      if (each.names.length > 0) this.#pending.push({ arithmetic: each, report });
    }
  }

  /** Reports arithmetic that reads a text variable: the shell evaluates its value, and runs commands in subscripts. */
  checkArithmetic(): void {
    for (const { arithmetic, report } of this.#pending) {
      const name = arithmetic.names.find((each) =>
        SET_BY_SHELL.has(each) || this.#texts?.has(/^[\d@*]/.test(each) ? "@" : each)
      );
      if (name !== undefined) {
        report(`arithmetic evaluates the value of "${name}", which the line sets`);
      }
    }
  }
}
