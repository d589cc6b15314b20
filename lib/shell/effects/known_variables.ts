import type { Block, Expansions, Node, Redirect, Sequence, Simple, Word } from "../parse/tree.ts";
import { isFixed } from "../parse/tree.ts";
import { variablesIn } from "../parse/variables_in.ts";

/** Variables that the shell itself sets to text of the line. */
export const SET_BY_SHELL: ReadonlySet<string> = new Set([
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
  "MATCH",
  "match",
  "ZSH_EXECUTION_STRING",
  "funcstack",
  "dirstack",
]);

/** Variables of every environment that hold no secret; digits and signs are parameters of the line. */
const ORDINARY: ReadonlySet<string> = new Set([
  ...["HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "HOSTNAME", "SHELL", "TERM", "TMPDIR", "PATH"],
  ...["UID", "EUID", "PPID", "BASHPID", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "IFS", "COLUMNS"],
  ...["LINES", "HOSTTYPE", "MACHTYPE", "OSTYPE", "BASH", "BASH_VERSION", "ZSH_VERSION", "SHLVL"],
  ...["EPOCHSECONDS", "EPOCHREALTIME", "PIPESTATUS", "pipestatus", "OPTIND", "XDG_CONFIG_HOME"],
  ...["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "LANG", "LC_ALL"],
]);

/** Builtins that set the variables that they name as `NAME=value`. */
const DECLARES = /^(?:export|declare|typeset|readonly|local)$/;

/** Options of `read` after which it sets its variables: not `-t 0` and `-u`, with which it may set none. */
const READ_OPTIONS = /^-[rsea]*d?$/;

/** The deepest nesting that is looked at. */
const MAX_DEPTH = 64;

/** The most looks at a line: each may find that one more variable holds the value of another. */
const MAX_LOOKS = 8;

/**
 * The words of a line whose variables have values of the line itself, so that printing them shows no secret of the environment.
 * A variable has one where a command before it sets it in any case: not in a branch, a subshell, the background or a command's
 * own assignments. One that any command sets to a text of the environment never has.
 */
export class KnownVariables {
  /** The texts of words that are known, or unknown, somewhere in the line. */
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  /** Variables that are set to a text of the environment somewhere. */
  readonly #foreign = new Set<string>();
  /** Variables that are set at the place that is being looked at, and these in the order of their setting. */
  readonly #own = new Set<string>();
  readonly #log: string[] = [];
  #isOpen = false;

  constructor(node: Node | undefined) {
    if (node === undefined) return;
    for (let looks = 0, before = -1; before < this.#foreign.size; looks++) {
      before = this.#foreign.size;
      this.#forgetTo(0);
      this.#known.clear();
      this.#look(node, 0);
      if (looks > MAX_LOOKS) this.#isOpen = true;
      if (this.#isOpen) return;
    }
  }

  /** True if words of a command show nothing but values of the line, and ordinary ones. */
  areKnown(words: readonly Word[]): boolean {
    if (this.#isOpen) return false;
    for (let at = 0; at < words.length; at++) {
      if (!isFixed(words[at]!.shape) && !this.#shows(words[at]!)) return false;
    }
    return true;
  }

  /** True if a word that the line does not fix shows nothing but such values. */
  #shows({ raw }: Word): boolean {
    if (this.#unknown.has(raw)) return false;
    return this.#known.has(raw) || variablesIn(raw).every(isOrdinary);
  }

  #look(node: Node, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.#isOpen = true;
      return;
    }
    switch (node.kind) {
      case "simple":
        return this.#simple(node, depth);
      case "sequence":
        return this.#sequence(node, depth);
      case "pipe":
        for (const each of node.nodes) this.#inside([each], depth);
        return;
      case "block":
        return this.#block(node, depth);
    }
  }

  /** Looks at commands, each of which may not run, or runs in a process of its own. */
  #inside(nodes: readonly Node[], depth: number): void {
    for (const node of nodes) {
      const start = this.#log.length;
      this.#look(node, depth + 1);
      this.#forgetTo(start);
    }
  }

  #sequence({ nodes, operators }: Sequence, depth: number): void {
    let start = 0;
    let afterFirst = 0;
    let mayBeSkipped = false;
    for (const [index, node] of nodes.entries()) {
      const before = operators[index - 1];
      const isFirst = before !== "&&" && before !== "||";
      if (isFirst) [start, mayBeSkipped] = [this.#log.length, false];
      if (before === "||") mayBeSkipped = true;
      if (mayBeSkipped) this.#forgetTo(afterFirst);
      this.#look(node, depth + 1);
      if (isFirst) afterFirst = this.#log.length;
      const after = operators[index];
      if (after === "&") this.#forgetTo(start);
      else if (after !== "&&" && after !== "||") this.#forgetTo(afterFirst);
    }
  }

  #block(block: Block, depth: number): void {
    const { name, nodes, redirects, sets } = block;
    const start = this.#log.length;
    this.#expansions(block, depth);
    for (const redirect of redirects) {
      // Any command inside may print what it is given.
      if (!this.#tellsInput(redirect)) this.#isOpen = true;
    }
    if (sets) this.#set(sets.name, sets.words ?? []);
    const isGroup = name === "{ }";
    const [first, ...rest] = nodes;
    if (isGroup) { for (const node of nodes) this.#look(node, depth + 1); }
    else if (name !== "case" && first !== undefined) {
      this.#look(first, depth + 1);
      this.#inside(rest, depth);
    } else this.#inside(nodes, depth);
    if (!isGroup || redirects.length > 0) this.#forgetTo(start);
  }

  #simple(simple: Simple, depth: number): void {
    const { words, assignments, redirects } = simple;
    this.#expansions(simple, depth);
    for (const word of words) this.#isKnown(word);
    const tells = redirects.map((redirect) => this.#tellsInput(redirect)).every(Boolean);
    const isPlain = redirects.every(({ operator }) => operator.startsWith("<<"));
    for (const { raw, name, value } of assignments) {
      const isKnown = this.#isKnown(value);
      if (!isKnown) this.#foreign.add(name);
      // An assignment before a command holds for the command alone, and not for its words.
      else if (words.length === 0 && isPlain && raw.startsWith(`${name}=`)) this.#hold(name);
    }
    const builtin = words[0]?.shape ?? "";
    if (DECLARES.test(builtin)) this.#declare(words, { isPlain });
    if (builtin === "read") this.#read(words, { isPlain, tells });
    if (builtin === "printf" && words[1]?.shape === "-v" && words[2] !== undefined) {
      this.#set(words[2].shape, words.length > 3 && isPlain ? words.slice(3) : undefined);
    }
  }

  #declare(words: readonly Word[], { isPlain }: { isPlain: boolean }): void {
    // Such as -n: the name stands for another variable.
    const hasOptions = words.slice(1).some(({ shape }) => /^[-+]/.test(shape));
    const isCertain = isPlain && !hasOptions && words[0]!.shape !== "local";
    for (const word of words.slice(1)) {
      const name = /^(\w+)\+?=/.exec(word.raw)?.[1];
      if (name === undefined) continue;
      if (hasOptions || !this.#isKnown(word)) this.#foreign.add(name);
      else if (isCertain && word.raw[name.length] === "=") this.#hold(name);
    }
  }

  #read(words: readonly Word[], { isPlain, tells }: { isPlain: boolean; tells: boolean }): void {
    let at = 1;
    while (READ_OPTIONS.test(words[at]?.shape ?? "")) at += words[at]!.shape.endsWith("d") ? 2 : 1;
    for (const { shape } of words.slice(at)) {
      if (!/^[A-Za-z_]\w*$/.test(shape)) return;
      if (!tells) this.#foreign.add(shape);
      else if (isPlain) this.#hold(shape);
    }
  }

  #expansions({ inners, arithmetic }: Expansions, depth: number): void {
    this.#inside(inners.map(({ node }) => node), depth);
    for (const { text, names, sets } of arithmetic) {
      const isKnown = names.every((name) => this.#has(name) || sets.includes(name));
      for (const name of sets) {
        if (!isKnown) this.#foreign.add(name);
        else if (!/[?&|]/.test(text)) this.#hold(name);
      }
    }
  }

  /** True if a here-string or here-document shows values of the line alone. */
  #tellsInput({ operator, target }: Redirect): boolean {
    if (target === undefined) return true;
    if (operator !== "<<") return this.#isKnown(target) || operator !== "<<<";
    if (isFixed(target.shape)) return true;
    const isKnown = variablesIn(target.raw, { isDocument: true }).every((name) => this.#has(name));
    (isKnown ? this.#known : this.#unknown).add(target.raw);
    return isKnown;
  }

  /** Records that a variable is set to words; undefined: it may not be set. */
  #set(name: string, words: readonly Word[] | undefined): void {
    if (words === undefined) return;
    if (words.map((word) => this.#isKnown(word)).every(Boolean)) this.#hold(name);
    else this.#foreign.add(name);
  }

  #hold(name: string): void {
    if (this.#foreign.has(name) || this.#own.has(name)) return;
    this.#own.add(name);
    this.#log.push(name);
  }

  #forgetTo(length: number): void {
    while (this.#log.length > length) this.#own.delete(this.#log.pop()!);
  }

  #isKnown({ raw, shape }: Word): boolean {
    if (isFixed(shape)) return true;
    const isKnown = variablesIn(raw).every((name) => this.#has(name));
    (isKnown ? this.#known : this.#unknown).add(raw);
    return isKnown;
  }

  #has(name: string): boolean {
    return isOrdinary(name) || this.#own.has(name);
  }
}

/** Those of a line without a variable. */
export const NONE_KNOWN = new KnownVariables(undefined);

/** The words of a line whose variables have values of the line itself. */
export function knownVariables(node: Node): KnownVariables {
  return isPlain(node) ? NONE_KNOWN : new KnownVariables(node);
}

/** Pipes and lists that are nested more deeply are looked at in full. */
const PLAIN_DEPTH = 8;

/** True for commands of fixed words, in pipes and lists, that set no variable by an assignment. */
function isPlain(node: Node, depth = 0): boolean {
  if (node.kind === "block" || depth > PLAIN_DEPTH) return false;
  if (node.kind !== "simple") return node.nodes.every((each) => isPlain(each, depth + 1));
  const { words, assignments, redirects, inners, arithmetic } = node;
  return assignments.length === 0 && inners.length === 0 && arithmetic.length === 0 &&
    words.every(({ shape }) => isFixed(shape)) &&
    redirects.every(({ target }) => target === undefined || isFixed(target.shape));
}

function isOrdinary(name: string): boolean {
  return !/^[A-Za-z_]/.test(name) || ORDINARY.has(name);
}
