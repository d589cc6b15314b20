import { ExpansionReader, type PrintedKindOf } from "./expansions.ts";
import { commandNode } from "./parse_command.ts";
import { compoundNode } from "./parse_compound.ts";
import {
  type HereDoc,
  parse,
  type ParsedScript,
  type Statement,
  type SyntaxNode,
} from "./unbash.ts";
import { mayBeZsh, type Shell } from "./shell.ts";
import { TWO_WAYS } from "./word_differences.ts";
import type { Node, ParsedLine, Sequence } from "./tree.ts";

/** The deepest nesting of lines in lines; a deeper one is unknown. */
const MAX_DEPTH = 64;

/** Characters that no shell command needs, and that terminals, logs and shells read differently. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** A backslash and a newline behind "$" or in `$'…'`. */
const CONTINUED = /\$(?:\\\n|'(?:[^'\\]|\\[^\n])*\\\n)/;

/** The surroundings of a line. */
export interface ParseLineOptions {
  /** The kind of output of its substitutions. */
  readonly printedKind: PrintedKindOf;
  /** The shell that it is read for. */
  readonly shell: Shell;
}

/** Parses one line of any kind by the parser, which most lines do without. */
export function parseWithParser(text: string, options: ParseLineOptions): ParsedLine {
  const reader = new LineParser(options);
  if (CONTROL.test(text)) reader.fail("it has a control character");
  if (endsInBackslash(text)) reader.fail("it ends in a backslash");
  if (text.includes("((") && text.includes("<<") && isReadInTwoWays(text)) reader.fail(TWO_WAYS);
  if (text.includes("\\\n") && CONTINUED.test(text)) {
    reader.fail("a line is continued inside an expansion or a quoted text");
  }
  try {
    const script = parse(text);
    const node = reader.script(script, text);
    const { fault, definesFunctions } = reader;
    return fault === undefined ? { node, definesFunctions } : { node, fault, definesFunctions };
  } catch (error) {
    const nothing = { node: undefined, definesFunctions: true };
    if (error instanceof RangeError) return { ...nothing, fault: "it is nested too deeply" };
    // The parser throws on some texts that are not shell syntax.
    if (error instanceof TypeError) return { ...nothing, fault: "it cannot be parsed" };
    throw error;
  }
}

/**
 * True if a line break stands behind an open "((" and a here-document in the same line: "((" begins arithmetic, or two subshells in
 * which the text of the here-document is searched for elsewhere.
 */
function isReadInTwoWays(text: string): boolean {
  const open: boolean[] = [];
  let doubles = 0;
  let lineStart = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "(") {
      const isDouble = text[at - 1] === "(";
      open.push(isDouble);
      if (isDouble) doubles++;
    } else if (char === ")") {
      if (open.pop()) doubles--;
    } else if (char === "\n") {
      if (doubles > 0 && text.slice(lineStart, at).includes("<<")) return true;
      lineStart = at + 1;
    }
  }
  return false;
}

/** True if the last backslash of a line quotes nothing. */
function endsInBackslash(text: string): boolean {
  let count = 0;
  while (text[text.length - 1 - count] === "\\") count++;
  return count % 2 === 1;
}

/** Turns the parser's tree of one line into plain data, and remembers the first reason why the line is unknown. */
export class LineParser {
  /** The reason why the line is unknown. */
  fault: string | undefined;
  /** True if the line defines a function. */
  definesFunctions = false;
  /** The text that positions currently point into. */
  source = "";
  /** The shell that the line is read for. */
  readonly shell: Shell;
  /** The kind of output of its substitutions. */
  readonly printedKind: PrintedKindOf;
  #depth = 0;
  #substitutions = 0;
  /** The place of the last text of a here-document in the current substitution; -1 without one. */
  #printedHereDoc = -1;
  #read: { start: number; end: number }[] = [];

  constructor({ shell, printedKind }: ParseLineOptions) {
    this.shell = shell;
    this.printedKind = printedKind;
  }

  /** The commands of the line or of a line inside it; undefined if it runs nothing. */
  script(script: ParsedScript, source: string): Node | undefined {
    const outer = { source: this.source, read: this.#read };
    const error = script.errors?.[0];
    if (error) this.fail(`it is not valid shell syntax: ${error.message}`);
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--;
      this.fail(`it is nested more than ${MAX_DEPTH} levels deep`);
      return undefined;
    }
    this.source = source;
    this.#read = [];
    const node = this.statements(script.commands);
    const { pos: start, end } = script;
    const shebang = script.shebang === undefined ? start : start + script.shebang.length + 2;
    const range = { read: this.#read, start: shebang, end };
    const gaps = gapsOf(source, range);
    const gap = unreadText(gaps);
    this.definesFunctions ||= gaps.some((each) => each !== " " && DEFINITION.test(each));
    if (gap !== undefined) this.fail(`it has text that is not part of any command: ${gap.trim()}`);
    // The parser reports errors of the lines inside once those are read.
    const late = script.errors?.[0];
    if (late) this.fail(`it is not valid shell syntax: ${late.message}`);
    this.source = outer.source;
    this.#read = outer.read;
    this.#depth--;
    return node;
  }

  /** Marks the line as unknown, unless an earlier reason has done so. */
  fail(why: string): void {
    this.fault ??= why;
  }

  /** Marks a piece of the source as read. */
  markRead(start: number, end: number): void {
    const last = this.#read[this.#read.length - 1];
    // A blank between two pieces is no gap.
    if (last?.end === start - 1 && this.source[start - 1] === " " && end > start) last.end = end;
    else this.#read.push({ start, end });
  }

  /** A collector for the expansions of one command. */
  expansionReader(): ExpansionReader {
    return new ExpansionReader(this, this.source);
  }

  /** The commands of a substitution; undefined if it runs nothing. */
  substituted(script: ParsedScript, source: string): Node | undefined {
    this.#substitutions++;
    const node = this.script(script, source);
    if (--this.#substitutions === 0) this.#printedHereDoc = -1;
    return node;
  }

  /**
   * Remembers a here-document in a substitution: bash prints the commands of one to parse them once more, and 5.2 prints
   * some that it reads differently then.
   */
  addHereDoc({ pos, body }: HereDoc): void {
    if (this.#substitutions === 0 || this.shell === "zsh") return;
    if (pos < this.#printedHereDoc) {
      this.fail("bash may mix up the here-documents of a line in a substitution");
    }
    this.#printedHereDoc = Math.max(this.#printedHereDoc, body.pos);
  }

  /** A sequence of statements; undefined if there are none. */
  statements(statements: readonly Statement[]): Node | undefined {
    if (statements.length === 1 && !statements[0]!.background) {
      return this.node(statements[0]!.command);
    }
    const nodes: Node[] = [];
    const operators: Sequence["operators"][number][] = [];
    for (const { command, end, background } of statements) {
      nodes.push(this.node(command));
      operators.push(background ? "&" : ";");
      // Bash 5.2 runs `a b` for `$(cat <<E; a; b` and the lines of the text.
      if (this.#printedHereDoc >= 0 && !background && SEMICOLON.test(this.source.slice(end))) {
        this.fail('bash may lose a ";" behind a here-document in a substitution');
      }
    }
    return nodes.length === 0 ? undefined : { kind: "sequence", nodes, operators };
  }

  /** A command, pipeline or list. */
  node(syntax: SyntaxNode): Node {
    switch (syntax.type) {
      case "Command":
        return commandNode(syntax, this);
      case "AndOr":
        return {
          kind: "sequence",
          nodes: syntax.commands.map((command) => this.node(command)),
          operators: syntax.operators,
        };
      case "Pipeline": {
        for (const { pos, end } of syntax.prefixes) this.markRead(pos, end);
        this.#checkTimes(syntax.prefixes.filter(({ type }) => type === "Time").length);
        const nodes = syntax.commands.map((command) => this.node(command));
        return nodes.length === 1 ? nodes[0]! : { kind: "pipe", nodes };
      }
      default:
        return this.#deeper(() => compoundNode(syntax, this));
    }
  }

  /** `time` before a pipeline is a program for `sh`, and a second one for zsh. */
  #checkTimes(count: number): void {
    if (count > 0 && this.shell === "sh") this.fail('sh takes "time" for a program');
    if (count > 1 && mayBeZsh(this.shell)) this.fail('zsh takes the second "time" for a program');
  }

  #deeper(read: () => Node): Node {
    if (++this.#depth > MAX_DEPTH) this.fail(`it is nested more than ${MAX_DEPTH} levels deep`);
    const node = this.#depth > 4 * MAX_DEPTH ? EMPTY : read();
    this.#depth--;
    return node;
  }
}

/** A semicolon behind a statement. */
const SEMICOLON = /^(?:[ \t]|\\\n)*;/;

const EMPTY: Node = { kind: "sequence", nodes: [], operators: [] };

/** A piece of the source that is part of the tree: offsets in UTF-16 code units, the end excluded. */
interface ReadRange {
  readonly start: number;
  readonly end: number;
}

/** Text that may stand between the pieces that were read: blanks, operators, reserved words, comments. */
const BETWEEN = new RegExp(
  "^(?:[ \\t\\n]|\\\\\\n|[;&|(){}!]|\\[\\[|\\]\\]|#[^\\n]*(?=\\n|$)" +
    "|(?:==?|!=|<|>|=~|-[a-zA-Z]+|--)(?=[ \\t\\n])" +
    "|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc)(?![\\w-]))*$",
);

/** The start of a function between pieces. */
const DEFINITION = /\(\s*\)|(?<![\w-])function\b/;

/** The pieces of a part of the source that were read. */
interface GapRange {
  readonly read: readonly ReadRange[];
  readonly start: number;
  readonly end: number;
}

/** The usual text between pieces. */
const ORDINARY = /^(?: |; | && | \|\| | \| )$/;

/**
 * The first text between the pieces that is neither blank, operator nor comment; undefined if the tree holds all of the
 * source. Detects text that the parser silently skipped.
 */
function unreadText(gaps: readonly string[]): string | undefined {
  return gaps.find((gap) => !ORDINARY.test(gap) && !BETWEEN.test(gap));
}

/** The source between the pieces that were read, and behind the last one. */
function gapsOf(source: string, { read, start, end }: GapRange): readonly string[] {
  const ordered = inOrder(read) ? read : read.toSorted((a, b) => a.start - b.start);
  const gaps: string[] = [];
  let at = start;
  for (const { start: next, end: after } of ordered) {
    if (next > at) gaps.push(source.slice(at, next));
    if (after > at) at = after;
  }
  if (at < end) gaps.push(source.slice(at, end));
  return gaps;
}

function inOrder(read: readonly ReadRange[]): boolean {
  for (let index = 1; index < read.length; index++) {
    if (read[index]!.start < read[index - 1]!.start) return false;
  }
  return true;
}
