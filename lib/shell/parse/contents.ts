import { wordOf } from "./parse_word.ts";
import {
  type ArithmeticExpression,
  type CommandExpansionPart,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type SyntaxNode,
  type WordSyntax,
} from "./syntax.ts";
import type { Arithmetic, Contents, Inner, Node, UnknownPart, Word } from "./tree.ts";

/** Reads a line inside a line; undefined when it runs nothing. */
export type ScriptReader = (script: ParsedScript, source: string) => Node | undefined;

/** What a substitution prints, as far as its own text says. */
export type Printing = (node: Node) => "integer" | "name" | undefined;

/** How contents are read. */
export interface ReaderOptions {
  /** The text that positions point into. */
  readonly source: string;
  /** Reads the lines in substitutions. */
  readonly script: ScriptReader;
  /** What a substitution prints. */
  readonly printing: Printing;
}

/** Gathers what the words of one command hold besides text. */
export class ContentsReader {
  readonly inners: Inner[] = [];
  readonly unknowns: UnknownPart[] = [];
  readonly #arithmetic: Arithmetic[] = [];
  readonly #options: ReaderOptions;
  /** Whether the words that are read now are regular expressions, where parentheses are text. */
  isRegex = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Notes something that cannot be known. */
  addUnknown(text: string, why: string): void {
    this.unknowns.push({ text, why });
  }

  /** Reads a word. */
  word(syntax: WordSyntax): Word {
    return wordOf(syntax, this);
  }

  /** Reads whatever stands below a node for what it runs. */
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

  /** Reads a command substitution; says what it prints, as far as that is known. */
  substitution(part: CommandExpansionPart): "integer" | "name" | undefined {
    const backtick = part.text.startsWith("`");
    if (backtick && part.text.includes("\n")) {
      this.addUnknown(part.text, "a backtick holds a newline");
    }
    const node = this.#script(part.script, {
      via: backtick ? "` `" : part.text.startsWith("$(") ? "$( )" : "${ }",
      text: part.text,
    });
    return node && this.#options.printing(node);
  }

  processSubstitution(part: ProcessSubstitutionPart): void {
    this.#script(part.script, { via: `${part.operator}( )`, text: part.text });
  }

  /** Reads arithmetic: what it runs, what it reads, and what of it cannot be known. */
  arithmetic(text: string, expression: ArithmeticExpression | undefined): void {
    const before = this.inners.length;
    if (expression) this.#arithmeticParts(expression);
    const outputs = this.inners.slice(before);
    const known = outputs.every(({ node }) => this.#options.printing(node) === "integer");
    const read = known ? readArithmetic(text) : undefined;
    if (read) this.#arithmetic.push(read);
    else this.addUnknown(text, "arithmetic runs what stands in a subscript or in a value");
  }

  /** Reads a word that is evaluated as arithmetic. */
  arithmeticWord(syntax: WordSyntax): void {
    const before = this.inners.length;
    this.word(syntax);
    const outputs = this.inners.slice(before);
    const known = outputs.every(({ node }) => this.#options.printing(node) === "integer");
    const read = known ? readArithmetic(syntax.text) : undefined;
    if (read) this.#arithmetic.push(read);
    else this.addUnknown(syntax.text, "arithmetic runs what stands in a subscript or in a value");
  }

  /** Reads `${…}`. */
  parameter(part: ParameterExpansionPart): void {
    const { operation, prefix, index } = part;
    if (prefix === "!" && operation?.type !== "Names" && !isListOfKeys(part)) {
      this.addUnknown(part.text, "it expands a variable whose name is in another");
    }
    if (index && index.text !== "@" && index.text !== "*") this.arithmeticWord(index);
    if (!operation) return;
    switch (operation.type) {
      case "Transform":
        if (!/^[QULuAaKk]$/.test(operation.operand.text)) {
          this.addUnknown(part.text, "it runs what the variable holds");
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
        return this.addUnknown(part.text, "it is an expansion of an unknown kind");
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
      this.addUnknown(text, "what stands in it cannot be read");
      return undefined;
    }
    const node = this.#options.script(script, script.source ?? this.#options.source);
    if (node) this.inners.push({ via, node });
    return node;
  }

  /** What was gathered. */
  get contents(): Contents {
    return { inners: this.inners, unknowns: this.unknowns, arithmetic: this.#arithmetic };
  }
}

/** `${!a[@]}`: the keys of an array. */
function isListOfKeys({ index }: ParameterExpansionPart): boolean {
  return index?.text === "@" || index?.text === "*";
}

/** Only names, numbers, operators and subscripts without quoting, so that what it reads is what it shows. */
const SIMPLE = /^[\w\s+\-*/%<>=!&|^~?:,();$#{}@[\].]*$/;

/**
 * The variables that an arithmetic text reads and may set; undefined where it holds quoting, which bash undoes once more
 * when it evaluates a subscript, and where a name is put together. Command substitutions are left out: the caller judges what they print.
 *
 * Source: bash(1), ARITHMETIC EVALUATION; a variable's value is evaluated as an expression itself.
 */
function readArithmetic(text: string): Arithmetic | undefined {
  const bare = withoutSubstitutions(text.replace(/^\$?\(\(|\)\)$/g, ""))?.replace(LENGTH, "0");
  // What looks like a here-document may be one: "((" also begins two subshells.
  if (
    bare === undefined || GLUED.test(bare) || !SIMPLE.test(bare) ||
    /\n|;|<<[-\s]*[A-Za-z_]/.test(bare)
  ) {
    return undefined;
  }
  const names = bare.match(/[A-Za-z_]\w*|\$\{?[\d@*#]/g)?.map((name) => name.replace(/^\$\{?/, ""));
  return { text, names: names ?? [], sets: setBy(bare, names ?? []) };
}

/** `$-`, whose letters are a name, and expansions that touch a name, which is another one then: `PA${x}TH`. */
const GLUED = /\$\{?-|\w\$|\}\w|\$[\d@*#]\w/;

/** Something is set: `=`, `+=`, `<<=`, `++`, but not a comparison. */
const ASSIGNS = /(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/g;
/** The same with the variable that is set, where it has no subscript in its subscript. */
const SETS =
  /([A-Za-z_]\w*)\s*(?:\[[^[\]]*\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** The variables that are set; all of them where it cannot be told which. */
function setBy(text: string, names: readonly string[]): readonly string[] {
  const count = text.match(ASSIGNS)?.length ?? 0;
  const found = [...text.matchAll(SETS)].map(([, before, behind]) => before ?? behind!);
  return found.length === count ? found : names.filter((name) => /^[A-Za-z_]/.test(name));
}

/** How long a variable or a list is: a number, whatever they hold. */
const LENGTH = /\$\{#[A-Za-z_]\w*(?:\[[@*]\])?\}/g;

/** The text without its `$( )`; undefined where a parenthesis or a quote makes their end uncertain. */
function withoutSubstitutions(text: string): string | undefined {
  if (!text.includes("$(")) return text;
  const bare = text.replace(/\$\([^()'"`\\]*\)/g, "");
  return bare.includes("$(") ? undefined : bare;
}
