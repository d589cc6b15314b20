import { eitherFolders, type Folders } from "./folders.ts";
import { isFixed, wordOfShape } from "./parse/parse_word.ts";
import { parseLine } from "./parse/parse_line.ts";
import { allowTextsOf, inside, type OuterCommand } from "./place.ts";
import { printsOf } from "./programs/prints.ts";
import type { SimpleCommand, SimpleReader } from "./simple_reader.ts";
import { isReadOtherwise } from "./programs/shell_reading.ts";
import { HOLE, NAME, type Simple, type Word } from "./parse/tree.ts";
import type { AddedArguments, Wrapped } from "./programs/use.ts";

/** Reads the commands that a wrapper runs; gives the folders that one of them may have changed to. */
export function readWrapped(command: SimpleCommand, reader: SimpleReader): Folders | undefined {
  const { wrapped } = command.reading;
  let folders: Folders | undefined;
  for (const each of wrapped) {
    const after = readOne(each, { command, reader, alone: wrapped.length === 1 });
    if (after) folders = folders ? eitherFolders(folders, after) : after;
  }
  return folders;
}

interface Wrapping {
  readonly command: SimpleCommand;
  readonly reader: SimpleReader;
  /** Whether it is the only command that the wrapper runs. */
  readonly alone: boolean;
}

function readOne(wrapped: Wrapped, wrapping: Wrapping): Folders | undefined {
  switch (wrapped.kind) {
    case "argv":
      return readArgv(wrapped, wrapping);
    case "line": {
      const { last, text } = wrapped;
      return readText(text, { ...wrapping, last });
    }
    case "stdin":
      return readStdin(wrapping);
  }
}

function readArgv(
  { from, to, adds }: Extract<Wrapped, { kind: "argv" }>,
  { command, reader, alone }: Wrapping,
): Folders | undefined {
  const given = command.words.slice(from, to);
  if (given.length === 0) return undefined;
  const filled = adds === "nothing" ? given : withArguments(given, { adds, command });
  const node: Simple = {
    kind: "simple",
    text: given.map(({ raw }) => raw).join(" "),
    assignments: command.reading.assigns.map((at) => assignmentOf(command.words[at]!)),
    words: filled,
    redirects: [],
    inners: [],
    unknowns: [],
    arithmetic: [],
  };
  const outer: OuterCommand = {
    texts: command.texts,
    wordOffset: from,
    isOnly: alone,
    ...interpreterOf(command),
  };
  const place = inside(reader.place, nameOf(command), outer);
  // An option whose effect is not known may be another folder (`env -C`, `sudo -D`).
  const moved = command.reading.uses.some(({ kind, lastWord }) =>
    kind === "unknown" && lastWord < from
  );
  const folders = moved ? { ...reader.folders, open: true } : reader.folders;
  const { ok, bad } = reader.line.read(node, place, folders);
  return moved ? undefined : eitherFolders(ok, bad);
}

/** Reads a text that a command runs as a line of its own. */
export function readText(
  text: string,
  { command, reader, alone, last }: Wrapping & { last: number },
): Folders | undefined {
  const { line, place, folders } = reader;
  const parsed = parseLine(text, (node) => printsOf(node, line.facts.catalog));
  const outer: OuterCommand = {
    texts: command.texts,
    lastWord: last,
    isOnly: alone,
    ...interpreterOf(command),
  };
  const inner = inside(place, nameOf(command), outer);
  const covers = allowTextsOf(command.texts, { last, place });
  if (parsed.fault !== undefined) {
    line.addUnknown({ text, why: parsed.fault }, { place: inner, covers });
  }
  if (!parsed.node) return undefined;
  const { ok, bad } = line.read(parsed.node, inner, folders);
  return eitherFolders(ok, bad);
}

/** A shell whose script comes by standard input: known where it is a here-document or here-string. */
function readStdin({ command, reader }: Wrapping): Folders | undefined {
  const inputs = command.node.redirects.filter(({ operator }) => operator.startsWith("<"));
  const [input] = inputs;
  const literal = inputs.length === 1 && input?.operator.startsWith("<<") && input.target &&
    isFixed(input.target.shape);
  const outer: OuterCommand = { texts: command.texts, isOnly: false };
  const inner = inside(reader.place, nameOf(command), outer);
  if (!literal) {
    const why = "it runs what comes by its standard input";
    // No rule for the shell says what comes.
    reader.line.addUnknown({ text: command.texts.written, why }, {
      place: reader.place,
      covers: [],
    });
  }
  for (const { operator, target } of inputs) {
    if (!operator.startsWith("<<") || !target) continue;
    const parsed = parseLine(target.text, (node) => printsOf(node, reader.line.facts.catalog));
    const covers = [{ text: command.texts.written, minLiteral: Infinity, maxLiteral: Infinity }];
    if (parsed.fault !== undefined && target.text.trim() !== "") {
      reader.line.addUnknown({ text: target.text, why: parsed.fault }, { place: inner, covers });
    }
    if (isReadOtherwise(command.words[0]!, target.text)) {
      const why = "the shell that it starts may read it otherwise than bash";
      reader.line.addUnknown({ text: target.text, why }, { place: inner, covers });
    }
    if (parsed.node) reader.line.read(parsed.node, inner, reader.folders);
  }
  return undefined;
}

/** The words of a command to which its wrapper adds some, in the place of `{}` or at the end. */
function withArguments(
  words: readonly Word[],
  { adds, command }: { adds: AddedArguments; command: SimpleCommand },
): readonly Word[] {
  const added = isFind(command.words) ? NAME : HOLE;
  const holds = words.some(({ shape }) => shape.includes("{}"));
  if (holds) {
    return words.map((word) =>
      word.shape.includes("{}") ? { ...word, shape: word.shape.replaceAll("{}", added) } : word
    );
  }
  if (adds === "braces") return words;
  return [...words, wordOfShape(added, { raw: "…", splits: true })];
}

/** Whether what `find` finds surely does not begin with "-": its starting points are given and do not. */
function isFind(words: readonly Word[]): boolean {
  return words[0]?.shape === "find" && !/^-|[\uF8FF\uF8FE]/.test(words[1]?.shape ?? "-");
}

function assignmentOf(word: Word) {
  const equals = word.shape.indexOf("=");
  const value = word.shape.slice(equals + 1);
  return {
    raw: word.raw,
    name: word.shape.slice(0, equals),
    value: { raw: value, text: value, shape: value, splits: false },
  };
}

function interpreterOf({ reading, words }: SimpleCommand): { interpreter?: string } {
  return reading.isInterpreter ? { interpreter: words[0]!.shape } : {};
}

function nameOf({ words }: SimpleCommand): string {
  return words[0]!.shape;
}
