import { ContentsReader, type Printing } from "./contents.ts";
import { commandNode } from "./parse_command.ts";
import { compoundNode } from "./parse_compound.ts";
import { parse, type ParsedScript, type Statement, type SyntaxNode } from "./syntax.ts";
import type { Line, Node, Sequence } from "./tree.ts";

/** Longest line that is taken apart, in UTF-16 code units (1 MiB); a longer one cannot be known. */
export const MAX_LENGTH = 1_048_576;

/** How many operators, quotes, expansions and newlines a line may have, and how many blanks. */
const MAX_MARKS = 20_000;
const MAX_BLANKS = 50_000;

/** How deep lines may stand in lines; a deeper one cannot be known. */
export const MAX_DEPTH = 64;

/** Bytes that no shell command needs, and that terminals, logs and shells read differently. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** A backslash and a newline behind "$", in `$'…'`, or in front of what would else be two operators. */
const CONTINUED = /\$(?:\\\n|'(?:[^'\\]|\\[^\n])*\\\n)/;

/** A here-document behind "((", which begins arithmetic or two subshells. */
const TWO_WAYS = /\(\([^()]*<<[^()]*\n/;

/** Reads one line; `printing` says what substitutions print. Never throws: what cannot be read is a fault. */
export function parseLine(text: string, printing: Printing): Line {
  const excess = text.length > MAX_LENGTH ? "it is longer than 1 MiB" : excessOf(text);
  if (excess !== undefined) return { node: undefined, fault: excess };
  const reader = new LineReader(printing);
  if (CONTROL.test(text)) reader.fail("it has a control character");
  if (TWO_WAYS.test(text)) reader.fail('what stands behind "((" is read in two ways');
  if (CONTINUED.test(text)) {
    reader.fail("a line is continued inside of an expansion or a quoted text");
  }
  try {
    const script = parse(text);
    const node = reader.script(script, text);
    return reader.fault === undefined ? { node } : { node, fault: reader.fault };
  } catch (error) {
    if (error instanceof RangeError) return { node: undefined, fault: "it is nested too deeply" };
    // The parser throws on some texts that are no shell: nothing is known of those.
    if (error instanceof TypeError) return { node: undefined, fault: "it cannot be read" };
    throw error;
  }
}

/** Why a long line is not taken apart: it would take too long, and no person writes it. */
function excessOf(text: string): string | undefined {
  if (text.length <= MAX_MARKS) return undefined;
  let marks = 0;
  let blanks = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) blanks++;
    else if (MARKS.has(code)) marks++;
  }
  if (marks > MAX_MARKS) return `it has more than ${MAX_MARKS} operators, quotes and expansions`;
  return blanks > MAX_BLANKS ? `it has more than ${MAX_BLANKS} words` : undefined;
}

const MARKS: ReadonlySet<number> = new Set(
  [...";&|<>$`()\"'{}\n#\\="].map((char) => char.charCodeAt(0)),
);

/** Turns the parser's tree of one line into plain data, and remembers the first reason why it cannot be known. */
export class LineReader {
  /** Why the line cannot be known. */
  fault: string | undefined;
  readonly printing: Printing;
  /** The text that positions point into now. */
  source = "";
  #depth = 0;
  #leaves: Leaf[] = [];

  constructor(printing: Printing) {
    this.printing = printing;
  }

  /** The line, or a line inside it; undefined when it runs nothing. */
  script(script: ParsedScript, source: string): Node | undefined {
    const outer = { source: this.source, leaves: this.#leaves };
    const error = script.errors?.[0];
    if (error) this.fail(`it is no shell syntax: ${error.message}`);
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--;
      this.fail(`it is nested more than ${MAX_DEPTH} deep`);
      return undefined;
    }
    this.source = source;
    this.#leaves = [];
    const node = this.statements(script.commands);
    const { pos: start, end } = script;
    const shebang = script.shebang === undefined ? start : start + script.shebang.length + 2;
    const gap = uncovered(source, { leaves: this.#leaves, start: shebang, end });
    if (gap !== undefined) this.fail(`it has text that is no part of a command: ${gap.trim()}`);
    // Errors of the lines inside are told when those are read.
    const late = script.errors?.[0];
    if (late) this.fail(`it is no shell syntax: ${late.message}`);
    this.source = outer.source;
    this.#leaves = outer.leaves;
    this.#depth--;
    return node;
  }

  /** Remembers why the line cannot be known. */
  fail(why: string): void {
    this.fault ??= why;
  }

  /** Notes a piece of the source that was read. */
  leaf(start: number, end: number): void {
    this.#leaves.push({ start, end });
  }

  /** A reader for the words of one command. */
  contents(): ContentsReader {
    return new ContentsReader({
      source: this.source,
      printing: this.printing,
      script: (script, source) => this.script(script, source),
    });
  }

  /** Statements one after another; undefined when there are none. */
  statements(statements: readonly Statement[]): Node | undefined {
    if (statements.length === 1 && !statements[0]!.background) {
      return this.node(statements[0]!.command);
    }
    const nodes: Node[] = [];
    const operators: Sequence["operators"][number][] = [];
    for (const { command, background } of statements) {
      nodes.push(this.node(command));
      operators.push(background ? "&" : ";");
    }
    return nodes.length === 0 ? undefined : { kind: "sequence", nodes, operators };
  }

  /** One command, pipeline or list. */
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
        for (const { pos, end } of syntax.prefixes) this.leaf(pos, end);
        const nodes = syntax.commands.map((command) => this.node(command));
        return nodes.length === 1 ? nodes[0]! : { kind: "pipe", nodes };
      }
      default:
        return this.#deeper(() => compoundNode(syntax, this));
    }
  }

  #deeper(read: () => Node): Node {
    if (++this.#depth > MAX_DEPTH) this.fail(`it is nested more than ${MAX_DEPTH} deep`);
    const node = this.#depth > 4 * MAX_DEPTH ? NOTHING : read();
    this.#depth--;
    return node;
  }
}

const NOTHING: Node = { kind: "sequence", nodes: [], operators: [] };

/** A piece of the source that a node of the tree stands for. */
interface Leaf {
  /** Its first offset, in UTF-16 code units. */
  readonly start: number;
  /** The offset behind it. */
  readonly end: number;
}

/** What may stand between the leaves: blanks, operators, reserved words, comments. */
const BETWEEN = new RegExp(
  "^(?:[ \\t\\n]|\\\\\\n|[;&|(){}!]|\\[\\[|\\]\\]|#[^\\n]*(?=\\n|$)" +
    "|(?:==?|!=|<|>|=~|-[a-zA-Z]+|--)(?=[ \\t\\n])" +
    "|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc)(?![\\w-]))*$",
);

/** One space, `; `, ` && `, ` | `: most of what stands between leaves. */
const ORDINARY = /^(?: |; | && | \|\| | \| )$/;

/**
 * The first text between leaves that is neither blank nor operator nor comment; undefined when the tree covers all of the
 * source. A parser that passes over a text in silence is found out here.
 */
function uncovered(
  source: string,
  { leaves, start, end }: { leaves: readonly Leaf[]; start: number; end: number },
): string | undefined {
  const ordered = inOrder(leaves) ? leaves : leaves.toSorted((a, b) => a.start - b.start);
  let at = start;
  for (const leaf of ordered) {
    if (leaf.start > at) {
      const gap = source.slice(at, leaf.start);
      if (!ORDINARY.test(gap) && !BETWEEN.test(gap)) return gap;
    }
    if (leaf.end > at) at = leaf.end;
  }
  const rest = source.slice(at, end);
  return rest === "" || BETWEEN.test(rest) ? undefined : rest;
}

function inOrder(leaves: readonly Leaf[]): boolean {
  for (let index = 1; index < leaves.length; index++) {
    if (leaves[index]!.start < leaves[index - 1]!.start) return false;
  }
  return true;
}
