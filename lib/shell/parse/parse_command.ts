import type { ContentsReader } from "./contents.ts";
import { fixedWord, WordBuilder } from "./parse_word.ts";
import type { LineReader } from "./parse_line.ts";
import type {
  ArrayValue,
  AssignmentSyntax,
  CommandArgument,
  CommandSyntax,
  RedirectionSyntax,
  WordPart,
  WordSyntax,
} from "./syntax.ts";
import type { Assignment, Redirect, Simple, Word } from "./tree.ts";

/** A simple command as plain data. */
export function commandNode(syntax: CommandSyntax, line: LineReader): Simple {
  const { source } = line;
  const contents = line.contents();
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  let end = -1;
  const add = (child: CommandArgument | RedirectionSyntax, isPrefix: boolean) => {
    if (child.pos === end && !isOperator(child, source)) {
      contents.addUnknown(source.slice(syntax.pos, child.end), "two words touch each other");
    }
    end = child.end;
    line.leaf(child.pos, child.end);
    if (child.type === "Assignment") {
      const assignment = assignmentOf(child, contents);
      if (isPrefix) assignments.push(assignment);
      else words.push(argumentOf(assignment));
    } else if (child.type === "Word") words.push(contents.word(child));
    else redirects.push(redirectOf(child, { contents, line }));
  };
  for (const child of syntax.prefix) add(child, true);
  if (syntax.name) add(syntax.name, false);
  for (const child of syntax.suffix) add(child, false);
  return {
    kind: "simple",
    text: source.slice(syntax.pos, syntax.end),
    assignments,
    words,
    redirects,
    ...contents.contents,
  };
}

/** Redirections of a compound command. */
export function redirectsOf(
  syntax: readonly RedirectionSyntax[],
  options: { contents: ContentsReader; line: LineReader },
): readonly Redirect[] {
  return syntax.map((redirection) => {
    options.line.leaf(redirection.pos, redirection.end);
    return redirectOf(redirection, options);
  });
}

/** Whether a redirection begins with its operator, so that it may touch the word before it. */
function isOperator(child: CommandArgument | RedirectionSyntax, source: string): boolean {
  return child.type !== "Word" && child.type !== "Assignment" && /[<>&]/.test(source[child.pos]!);
}

function assignmentOf(syntax: AssignmentSyntax, contents: ContentsReader): Assignment {
  if (syntax.index) contents.arithmeticWord(syntax.index);
  const { value } = syntax;
  if (value.type === "Word") {
    if (value.text.startsWith("(")) {
      contents.addUnknown(syntax.text, "text touches a list of values");
    }
    return { raw: syntax.text, name: syntax.name, value: contents.word(value) };
  }
  return {
    raw: syntax.text,
    name: syntax.name,
    value: listWord(value, { contents, raw: syntax.text }),
  };
}

function listWord(
  value: ArrayValue,
  { contents, raw }: { contents: ContentsReader; raw: string },
): Word {
  // A here-document that is pending begins at the first newline, in a list of values too.
  if (raw.includes("\n")) contents.addUnknown(raw, "a list of values goes over several lines");
  const elements = value.elements.map((element: WordSyntax) => {
    // A subscript in `([$(x)]=y)` is evaluated, quoted or not.
    if (/^\[/.test(element.text)) contents.addUnknown(element.text, "a subscript is evaluated");
    return contents.word(element);
  });
  return {
    raw: elements.map(({ raw }) => raw).join(" "),
    text: elements.map(({ text }) => text).join(" "),
    shape: elements.map(({ shape }) => shape).join(" "),
    splits: true,
  };
}

/** An assignment among the arguments (`export A=1`) as the word that it is. */
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
  { contents, line }: { contents: ContentsReader; line: LineReader },
): Redirect {
  const raw = line.source.slice(syntax.pos, syntax.end);
  if (syntax.type === "HereDoc") {
    const { body, closing, delimiter } = syntax;
    line.leaf(body.pos, closing?.end ?? body.end);
    if (!closing) line.fail("a here-document does not end");
    const { text, parts } = body;
    if (delimiter?.quoted) return { raw, operator: "<<", target: fixedWord(text) };
    if (!parts && /`|\$[({]/.test(text.replace(/\\[^]/g, ""))) {
      contents.addUnknown(raw, "its text holds what may be an expansion");
    }
    return {
      raw,
      operator: "<<",
      target: parts ? hereWord(text, { parts, contents }) : fixedWord(text),
    };
  }
  return {
    raw,
    operator: syntax.operator,
    ...(syntax.target ? { target: contents.word(syntax.target) } : {}),
  };
}

function hereWord(
  raw: string,
  { parts, contents }: { parts: readonly WordPart[]; contents: ContentsReader },
): Word {
  const builder = new WordBuilder(contents);
  for (const part of parts) builder.add(part, true);
  return builder.word(raw);
}
