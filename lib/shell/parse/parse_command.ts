import type { ExpansionReader } from "./expansions.ts";
import type { LineParser } from "./parse_with_parser.ts";
import { WordBuilder } from "./parse_word.ts";
import type {
  ArrayValue,
  AssignmentSyntax,
  CommandArgument,
  CommandSyntax,
  RedirectionSyntax,
  WordPart,
  WordSyntax,
} from "./unbash.ts";
import {
  assignmentDifference,
  commandDifferences,
  isSubscripted,
  redirectDifference,
  takenByRedirect,
} from "./command_differences.ts";
import { type Assignment, fixedWord, type Redirect, type Simple, type Word } from "./tree.ts";
import { literalDifference } from "./word_differences.ts";

export function commandNode(syntax: CommandSyntax, line: LineParser): Simple {
  const { source } = line;
  const reader = line.expansionReader();
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  let end = -1;
  const add = (child: CommandArgument | RedirectionSyntax, isPrefix: boolean) => {
    const isBlank = end < 0 || child.pos === end + 1 && source[end] === " ";
    if (!isBlank) {
      const gap = source.slice(end, child.pos);
      if (!/^(?:[ \t]|\\\n)*$/.test(gap)) line.fail("its words are separated by more than blanks");
      if (/^(?:\\\n)*$/.test(gap) && !isOperator(child, source)) {
        reader.addUnknown(source.slice(syntax.pos, child.end), "two words are not separated");
      }
    }
    end = child.end;
    line.markRead(child.pos, child.end);
    if (child.type === "Assignment") {
      const assignment = assignmentOf(child, reader);
      if (isPrefix) assignments.push(assignment);
      else words.push(argumentOf(assignment));
    } else if (child.type === "Word") words.push(reader.word(child));
    else redirects.push(redirectOf(child, { reader, line }));
  };
  for (const child of syntax.prefix) add(child, true);
  if (syntax.name) add(syntax.name, false);
  for (const child of syntax.suffix) add(child, false);
  // The parser skips it.
  if (isParenthesisAt(source, end)) line.fail('a "(" stands behind a word');
  const text = source.slice(syntax.pos, syntax.end);
  const { unknown, arithmetic } = commandDifferences(words, { text, shell: line.shell });
  if (unknown) reader.addUnknown(unknown.raw, unknown.why);
  for (const at of arithmetic) reader.countedWord(words[at]!);
  const { inners, unknowns, expressions } = reader;
  return {
    kind: "simple",
    text,
    assignments,
    words,
    redirects,
    inners,
    unknowns,
    arithmetic: expressions,
  };
}

/** The redirections of a compound command. */
export function redirectsOf(
  syntax: readonly RedirectionSyntax[],
  options: { reader: ExpansionReader; line: LineParser },
): readonly Redirect[] {
  return syntax.map((redirection) => {
    options.line.markRead(redirection.pos, redirection.end);
    return redirectOf(redirection, options);
  });
}

/** True if a parenthesis opens behind an offset, over blanks. */
function isParenthesisAt(source: string, end: number): boolean {
  if (end < 0 || !source.includes("(", end)) return false;
  const behind = /(?:[ \t]|\\\n)*\(/y;
  behind.lastIndex = end;
  return behind.test(source);
}

/** True for a redirection that begins with its operator, and so may directly follow a word. */
function isOperator(child: CommandArgument | RedirectionSyntax, source: string): boolean {
  return child.type !== "Word" && child.type !== "Assignment" && /[<>&]/.test(source[child.pos]!);
}

function assignmentOf(syntax: AssignmentSyntax, reader: ExpansionReader): Assignment {
  const why = assignmentDifference(syntax, reader.shell);
  if (why !== undefined) reader.addUnknown(syntax.text, why);
  if (syntax.index) reader.arithmeticWord(syntax.index);
  const { value } = syntax;
  if (value.type === "Word") {
    if (value.text.startsWith("(")) {
      reader.addUnknown(syntax.text, "text adjoins a list of values");
    }
    return { raw: syntax.text, name: syntax.name, value: reader.word(value) };
  }
  return {
    raw: syntax.text,
    name: syntax.name,
    value: listWord(value, { reader, raw: syntax.text }),
  };
}

function listWord(
  value: ArrayValue,
  { reader, raw }: { reader: ExpansionReader; raw: string },
): Word {
  // A pending here-document begins at the first newline, even inside a list of values.
  if (raw.includes("\n")) reader.addUnknown(raw, "a list of values spans several lines");
  const elements = value.elements.map((element: WordSyntax) => {
    // A subscript in `([$(x)]=y)` is evaluated, quoted or not.
    if (/^\[/.test(element.text)) reader.addUnknown(element.text, "a subscript is evaluated");
    return reader.word(element);
  });
  return {
    raw: elements.map(({ raw }) => raw).join(" "),
    text: elements.map(({ text }) => text).join(" "),
    shape: elements.map(({ shape }) => shape).join(" "),
    splits: true,
  };
}

/** The word of an assignment among the arguments: `export A=1`. */
function argumentOf({ raw, name, value }: Assignment): Word {
  const sign = raw.slice(name.length).match(/^[^=]*=/)?.[0] ?? "=";
  return {
    raw,
    text: `${name}${sign}${value.text}`,
    shape: `${name}${sign}${value.shape}`,
    splits: false,
  };
}

function redirectOf(
  syntax: RedirectionSyntax,
  { reader, line }: { reader: ExpansionReader; line: LineParser },
): Redirect {
  const raw = line.source.slice(syntax.pos, syntax.end);
  const place = { raw, next: line.source[syntax.end] ?? "", shell: line.shell };
  const before = line.source.slice(0, syntax.pos);
  const taken = takenByRedirect(before, line.shell);
  if (taken) reader.addUnknown(`${taken} ${raw}`, "zsh takes the word for the redirection's");
  if (isSubscripted(before, line.shell)) reader.addUnknown(raw, "a subscript is evaluated");
  const why = redirectDifference(syntax, place);
  if (why !== undefined) reader.addUnknown(raw, why);
  if (syntax.type === "HereDoc") {
    const { body, closing, delimiter } = syntax;
    line.addHereDoc(syntax);
    line.markRead(body.pos, closing?.end ?? body.end);
    if (!closing) line.fail("a here-document has no end");
    const { text, parts } = body;
    if (delimiter?.quoted) return { raw, operator: "<<", target: fixedWord(text) };
    if (!parts && /`|\$[({]/.test(text.replace(/\\[^]/g, ""))) {
      reader.addUnknown(raw, "its text may contain an expansion");
    }
    const difference = parts
      ? undefined
      : literalDifference(text, { shell: line.shell, quoted: true });
    if (difference !== undefined) reader.addUnknown(raw, difference);
    return {
      raw,
      operator: "<<",
      target: parts ? hereWord(text, { parts, reader }) : fixedWord(text),
    };
  }
  const { operator, target } = syntax;
  return target ? { raw, operator, target: reader.word(target) } : { raw, operator };
}

function hereWord(
  raw: string,
  { parts, reader }: { parts: readonly WordPart[]; reader: ExpansionReader },
): Word {
  const builder = new WordBuilder(reader);
  for (const [index, part] of parts.entries()) {
    builder.add(part, { quoted: true, next: parts[index + 1]?.text ?? "" });
  }
  return builder.word(raw);
}
