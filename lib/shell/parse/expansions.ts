import { wordOf } from "./parse_word.ts";
import type { Shell } from "./shell.ts";
import {
  type ArithmeticExpression,
  type CommandExpansionPart,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type SyntaxNode,
  type WordSyntax,
} from "./unbash.ts";
import type { Arithmetic, Expansions, InnerLine, Node, UnknownPart, Word } from "./tree.ts";

/** A kind of output: an integer, or one word that does not begin with "-". */
export type PrintedKind = "integer" | "name";

/** The kind of output that commands are certain to print; undefined for any other. */
export type PrintedKindOf = (node: Node) => PrintedKind | undefined;

/** The line in which expansions are read. */
export interface ExpandedLine {
  /** Parses the line of a substitution; undefined if it runs nothing. */
  substituted(script: ParsedScript, source: string): Node | undefined;
  /** The kind of output of a substitution. */
  readonly printedKind: PrintedKindOf;
  /** The shell that the line is read for. */
  readonly shell: Shell;
}

/** Collects the expansions in the words of one command. */
export class ExpansionReader {
  readonly inners: InnerLine[] = [];
  readonly unknowns: UnknownPart[] = [];
  readonly expressions: Arithmetic[] = [];
  readonly #line: ExpandedLine;
  /** The text that positions point into. */
  readonly #source: string;
  /** True while the words are regular expressions, in which parentheses are text. */
  isRegex = false;

  constructor(line: ExpandedLine, source: string) {
    this.#line = line;
    this.#source = source;
  }

  /** The shell that the line is read for. */
  get shell(): Shell {
    return this.#line.shell;
  }

  addUnknown(text: string, why: string): void {
    this.unknowns.push({ text, why });
  }

  word(syntax: WordSyntax): Word {
    return wordOf(syntax, this);
  }

  /** Reads all expansions below a node. */
  visit(node: SyntaxNode): void {
    switch (node.type) {
      case "CommandExpansion":
        this.substitution(node);
        return;
      case "ArithmeticCommandExpansion":
        this.#script(node.script, { via: "$( )", text: node.text });
        return;
      case "ProcessSubstitution":
        return this.processSubstitution(node);
      case "ParameterExpansion":
        return this.parameter(node);
      case "ArithmeticExpansion":
        return this.arithmetic(node.text, node.expression);
      case "Word":
        this.word(node);
        return;
      default:
        forEachChild(node, (child) => this.visit(child));
    }
  }

  /** Reads a command substitution. Returns the kind of its output. */
  substitution(part: CommandExpansionPart): PrintedKind | undefined {
    const backtick = part.text.startsWith("`");
    if (backtick && part.text.includes("\n")) {
      this.addUnknown(part.text, "a backtick substitution contains a newline");
    }
    const node = this.#script(part.script, {
      via: backtick ? "` `" : part.text.startsWith("$(") ? "$( )" : "${ }",
      text: part.text,
    });
    return node && this.#line.printedKind(node);
  }

  processSubstitution(part: ProcessSubstitutionPart): void {
    this.#script(part.script, { via: `${part.operator}( )`, text: part.text });
  }

  arithmetic(text: string, expression: ArithmeticExpression | undefined): void {
    this.#addArithmetic(text, () => {
      if (expression) this.#arithmeticParts(expression);
    });
  }

  /** Reads a word that the shell evaluates as arithmetic. */
  arithmeticWord(syntax: WordSyntax): void {
    this.#addArithmetic(syntax.text, () => this.word(syntax));
  }

  /**
   * Adds a word that zsh evaluates as arithmetic, and bash takes for a number: digits, or plain variables and what prints
   * integers.
   */
  countedWord({ raw, text, shape, integer }: Word): void {
    if (integer) return;
    const names = text.match(/\$\{?(?:\w+|[@*])/g)?.map((name) => name.replace(/^\$\{?/, "")) ?? [];
    const open = shape.match(/[\uF8FE\uF8FF]/g)?.length ?? 0;
    const isPlain = /^[\w\s.+\-*/%\uF8FD-\uF8FF]*$/.test(shape) && open === names.length &&
      !/[`({]|\$\{\w+[^\w}]/.test(text.replace(/\$\{\w+\}|\$\(\(.*\)\)/g, ""));
    const words = shape.match(/[A-Za-z_]\w*/g) ?? [];
    if (isPlain) this.expressions.push({ text: raw, names: [...names, ...words], sets: [] });
    else {this.addUnknown(
        raw,
        "zsh evaluates it as arithmetic, which may run commands in a subscript",
      );}
  }

  /** Adds an arithmetic text whose parts `read` reads: its substitutions must print integers. */
  #addArithmetic(text: string, read: () => void): void {
    const before = this.inners.length;
    read();
    const outputs = this.inners.slice(before);
    const known = outputs.every(({ node }) => this.#line.printedKind(node) === "integer");
    const arithmetic = known ? readArithmetic(text) : undefined;
    if (arithmetic) this.expressions.push(arithmetic);
    else this.addUnknown(text, "arithmetic may run commands in a subscript or a value");
  }

  /** Reads `${…}`. */
  parameter(part: ParameterExpansionPart): void {
    const { operation, prefix, index } = part;
    if (prefix === "!" && operation?.type !== "Names" && !isListOfKeys(part)) {
      this.addUnknown(part.text, "it expands a variable that another variable names");
    }
    if (index && index.text !== "@" && index.text !== "*") this.arithmeticWord(index);
    if (!operation) return;
    switch (operation.type) {
      case "Transform":
        if (!/^[QULuAaKk]$/.test(operation.operand.text)) {
          this.addUnknown(part.text, "it evaluates the value of the variable");
        }
        return;
      case "Default":
        if (operation.operator.endsWith("=")) this.addUnknown(part.text, "it sets a variable");
        this.word(operation.operand);
        return;
      case "Slice":
        this.arithmeticWord(operation.offset);
        if (operation.length) this.arithmeticWord(operation.length);
        return;
      case "Unknown":
        return this.addUnknown(part.text, "it is an unknown kind of expansion");
      case "Remove":
      case "Replace":
      case "CaseModification":
      case "Names":
        forEachChild(operation, (child) => this.visit(child));
    }
  }

  #arithmeticParts(node: SyntaxNode): void {
    if (node.type === "ArithmeticWord" || node.type.startsWith("Arithmetic")) {
      if (node.type === "ArithmeticCommandExpansion" || node.type === "ArithmeticExpansion") {
        this.visit(node);
      } else forEachChild(node, (child) => this.#arithmeticParts(child));
    } else this.visit(node);
  }

  #script(
    script: ParsedScript | undefined,
    { via, text }: { via: string; text: string },
  ): Node | undefined {
    if (!script) {
      this.addUnknown(text, "its content cannot be parsed");
      return undefined;
    }
    const node = this.#line.substituted(script, script.source ?? this.#source);
    if (node) this.inners.push({ via, node });
    return node;
  }

  get expansions(): Expansions {
    return { inners: this.inners, unknowns: this.unknowns, arithmetic: this.expressions };
  }
}

/** True for `${!a[@]}`, the keys of an array. */
function isListOfKeys({ index }: ParameterExpansionPart): boolean {
  return index?.text === "@" || index?.text === "*";
}

/** Names, numbers, operators and unquoted subscripts only, so that the text shows every variable that it reads. */
const SIMPLE = /^[\w\s+\-*/%<>=!&|^~?:,();$#{}@[\].]*$/;

/**
 * The variables that an arithmetic text reads and may set; undefined for quoting, which bash undoes once more when it
 * evaluates a subscript, and for a name made of several pieces. Ignores command substitutions: the caller checks what they
 * print.
 *
 * Source: bash(1), ARITHMETIC EVALUATION; a variable's value is evaluated as an expression itself.
 */
function readArithmetic(text: string): Arithmetic | undefined {
  const bare = withoutSubstitutions(text.replace(/^\$?\(\(|\)\)$/g, ""))?.replace(LENGTH, "0");
  // A seeming here-document may be one: "((" also begins two subshells.
  if (
    bare === undefined || GLUED.test(bare) || !SIMPLE.test(bare) || COMMENT.test(bare) ||
    !isBalanced(bare) ||
    /\n|;|<<[-\s]*[A-Za-z_]/.test(bare)
  ) {
    return undefined;
  }
  const names = bare.match(/[A-Za-z_]\w*|\$\{?[\d@*#]/g)?.map((name) => name.replace(/^\$\{?/, ""));
  return { text, names: names ?? [], sets: assignedIn(bare, names ?? []) };
}

/** `$-`, whose letters are a name, and expansions that form a new name with their neighbour: `PA${x}TH`. */
const GLUED = /\$\{?-|\w\$|\}\w|\$[\d@*#]\w/;

/** A `#` that is neither a base (`16#ff`) nor a count (`$#`): a comment where `((` begins a subshell. */
const COMMENT = /(?<![\w$])#/;

/** True if brackets and braces close in order; else zsh reads subshells behind "((". */
function isBalanced(text: string): boolean {
  let rest = text.replace(/[^[\]{}]/g, "");
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(/\[\]|\{\}/g, "");
  }
  return rest === "";
}

/** Assignment operators: `=`, `+=`, `<<=`, `++`, but no comparison. */
const ASSIGNS = /(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/g;
/** Assignments with their variable; without those whose subscript has a subscript. */
const SETS =
  /([A-Za-z_]\w*)\s*(?:\[[^[\]]*\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** The variables that a text sets; all of its variables if some assignment is unclear. */
function assignedIn(text: string, names: readonly string[]): readonly string[] {
  const count = text.match(ASSIGNS)?.length ?? 0;
  const found = [...text.matchAll(SETS)].map(([, before, behind]) => before ?? behind!);
  return found.length === count ? found : names.filter((name) => /^[A-Za-z_]/.test(name));
}

/** The length of a variable or a list, always an integer. */
const LENGTH = /\$\{#[A-Za-z_]\w*(?:\[[@*]\])?\}/g;

/** The text without its `$( )`; undefined if a parenthesis or a quote makes their end uncertain. */
function withoutSubstitutions(text: string): string | undefined {
  if (!text.includes("$(")) return text;
  const bare = text.replace(/\$\([^()'"`\\]*\)/g, "");
  return bare.includes("$(") ? undefined : bare;
}
