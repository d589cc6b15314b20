import { definesFunction, parseLine } from "../parse/parse_line.ts";
import { mayBeSh, shellNamed } from "../parse/shell.ts";
import {
  type Assignment,
  eachWord,
  fixedWord,
  HOLE,
  isFixed,
  NAME,
  type ParsedLine,
  simpleOf,
  type Word,
  wordOfShape,
} from "../parse/tree.ts";
import type { AddedArguments, Wrapped } from "../programs/program_use.ts";
import { baseName } from "../programs/program_catalog.ts";
import { printedKindOf } from "../programs/read_command.ts";
import { isParsedDifferently, PARSED_DIFFERENTLY } from "../programs/read_shell.ts";
import {
  exactText,
  innerContext,
  type OuterCommand,
  type Scope,
  useAllowTexts,
} from "./command_context.ts";
import { ALWAYS } from "../programs/program.ts";
import { eitherFolders, type Folders } from "./folders.ts";
import { feedsInput, isHandedOn } from "./redirect_effects.ts";
import { RUNS_INPUT } from "./texts/run_output.ts";
import { foundNames, globWord, partsNames, XARGS } from "./listed_names.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** A wrapper and its surroundings. */
interface Wrapper {
  readonly command: SimpleCommand;
  readonly scope: Scope;
  /** True if it runs one command only. */
  readonly isOnly: boolean;
}

/** Reads the commands that a wrapper runs. Returns the folders that they may have changed to. */
export function readWrapped(command: SimpleCommand, scope: Scope): Folders | undefined {
  const { wrapped } = command.reading;
  if (wrapped.length === 0) return undefined;
  const isFed = feedsInput(command.node.redirects);
  const context = isFed ? { ...scope.context, fed: true } : scope.context;
  const isElsewhere = runsElsewhere(command);
  const folders = isElsewhere ? { ...scope.folders, open: true } : scope.folders;
  const inner = { line: scope.line, context, folders };
  let left: Folders | undefined;
  for (const each of wrapped) {
    const after = readOne(each, { command, scope: inner, isOnly: wrapped.length === 1 });
    if (after) left = left ? eitherFolders(left, after) : after;
  }
  return isElsewhere ? undefined : left;
}

/** True if a command runs others in folders that the line does not name (`find -execdir`). */
function runsElsewhere({ reading: { levels } }: SimpleCommand): boolean {
  return levels.some(({ program: { table: { elsewhere } }, args: { options } }) =>
    elsewhere !== undefined &&
    (elsewhere.includes(ALWAYS) || options.some(({ option }) => elsewhere.includes(option.name)))
  );
}

function readOne(wrapped: Wrapped, wrapper: Wrapper): Folders | undefined {
  switch (wrapped.kind) {
    case "argv":
      return readArguments(wrapped, wrapper);
    case "line":
      return readText(wrapped.text, { ...wrapper, last: wrapped.last });
    case "stdin":
      readStandardInput(wrapper);
      return undefined;
  }
}

function readArguments(
  { from, to, adds }: Extract<Wrapped, { kind: "argv" }>,
  { command, scope, isOnly }: Wrapper,
): Folders | undefined {
  const given = command.words.slice(from, to);
  if (given.length === 0) return undefined;
  const { assigns } = command.reading;
  const words = adds.atEnd === "never" && adds.placeholders.length === 0
    ? given
    : withArguments(given, {
      adds,
      command,
      names: addedNames(command, scope),
      isMany: command.words[to]?.shape === "+",
    });
  const node = simpleOf(words, {
    text: textOf(given),
    assignments: assigns.map((at) => assignmentOf(command.words[at]!)),
    isAsWritten: words === given && assigns.length === 0 && command.node.isAsWritten === true,
  });
  const outer = outerCommand(command, { isOnly, wordOffset: from });
  const isOwn = command.reading.levels.at(-1)?.program.table.binaries !== undefined;
  const context = {
    ...innerContext(scope.context, nameOf(command), outer),
    ownBinaries: isOwn || scope.context.ownBinaries,
    // Another wrapper may give it a terminal.
    isHandedOn: command.program?.table.transparent === true && isHandedOn(command, scope),
  };
  // An unknown option may change the folder (`env -C`, `sudo -D`).
  const mayMove = command.reading.uses.some(({ kind, lastWord }) =>
    kind === "unknown" && lastWord < from
  );
  const folders = mayMove ? { ...scope.folders, open: true } : scope.folders;
  const { success, failure } = scope.line.read(node, { context, folders });
  return mayMove ? undefined : eitherFolders(success, failure);
}

/** Words as they are written, with blanks between them. */
function textOf(words: readonly Word[]): string {
  let text = words[0]!.raw;
  for (let at = 1; at < words.length; at++) text += ` ${words[at]!.raw}`;
  return text;
}

/** Reads a text, which ends in the word at `last`, that a command runs as a line. Returns the folders that it may change to. */
export function readText(
  text: string,
  { command, scope, isOnly, last }: Wrapper & { last: number },
): Folders | undefined {
  const { line } = scope;
  const isLater = RUN_LATER.test(nameOf(command)) && line.changesFolder;
  const folders = isLater ? { ...scope.folders, open: true } : scope.folders;
  // They are the parameters of the line, `$0` among them.
  for (const word of command.words.slice(last + 1)) line.state.set("1", word);
  const parsed = parseInner(text, { command, scope });
  const outer = outerCommand(command, { isOnly, lastWord: last });
  const context = innerContext(scope.context, nameOf(command), outer);
  const where = { last, context: scope.context };
  if (parsed.fault !== undefined) {
    const allowTexts = useAllowTexts(command.texts, where);
    line.addUnknown({ text, why: parsed.fault }, { context, allowTexts });
  }
  if (mayBeSh(line.state.shell) && command.words.some(({ raw }) => /\$'[^]*\\/.test(raw))) {
    const allowTexts = useAllowTexts(command.texts, where);
    line.addUnknown({ text, why: "its quotes are undone differently by sh" }, {
      context,
      allowTexts,
    });
  }
  if (!parsed.node) return undefined;
  const { success, failure } = line.read(parsed.node, { context, folders });
  return eitherFolders(success, failure);
}

/** Reads the script of a shell on standard input, which is known for a here-document or here-string. */
function readStandardInput({ command, scope }: Wrapper): void {
  const { line, folders } = scope;
  const inputs = command.node.redirects.filter(({ operator }) => operator.startsWith("<"));
  const [input] = inputs;
  const isLiteral = inputs.length === 1 && input?.operator.startsWith("<<") && input.target &&
    isFixed(input.target.shape);
  const outer: OuterCommand = { texts: command.texts, isOnly: false };
  const context = { ...innerContext(scope.context, nameOf(command), outer), fed: true };
  if (!isLiteral) {
    // No rule for the shell can name the script.
    const part = { text: command.texts.written, why: RUNS_INPUT };
    line.addUnknown(part, { context: scope.context, allowTexts: [] });
  }
  const inner = { context, allowTexts: [exactText(command.texts.written)] };
  for (const { operator, target } of inputs) {
    if (!operator.startsWith("<<") || !target) continue;
    const { text } = target;
    const parsed = parseInner(text, { command, scope });
    if (parsed.fault !== undefined && text.trim() !== "") {
      line.addUnknown({ text, why: parsed.fault }, inner);
    }
    if (isParsedDifferently(command.words[0]!, text)) {
      line.addUnknown({ text, why: PARSED_DIFFERENTLY }, inner);
    }
    if (parsed.node) line.read(parsed.node, { context, folders });
  }
}

/** Parses a line that a command runs, for the shell that runs it. */
function parseInner(
  text: string,
  { command, scope: { line: { state } } }: Pick<Wrapper, "command" | "scope">,
): ParsedLine {
  const name = baseName(nameOf(command));
  const isOwn = RUN_BY_ITSELF.test(name);
  const hasFunctions = state.hasFunctions || definesFunction(text);
  const parsed = parseLine(text, {
    printedKind: (node) => hasFunctions ? undefined : printedKindOf(node, state.catalog),
    shell: isOwn ? state.shell : shellNamed(name) ?? "posix",
  });
  if (!isOwn || state.hasFunctions || !hasFunctions) return parsed;
  return { fault: "it defines functions for the rest of the line", ...parsed };
}

/** Builtins whose text runs later, in the folder of that moment. */
const RUN_LATER = /^(?:trap|alias)$/;
/** Builtins whose text the shell of the line itself runs. */
const RUN_BY_ITSELF = /^(?:eval|trap|alias|command|builtin|exec)$/;

const FIND = /^g?find$/;

/** The file names that a wrapper adds; undefined unless each of them is one word. */
function addedNames({ words, reading }: SimpleCommand, scope: Scope): readonly Word[] | undefined {
  const { context: { names }, line: { state }, folders } = scope;
  const program = words[0]!.shape;
  if (FIND.test(program)) return foundNames(words)?.words();
  if (!names || !XARGS.test(program)) return undefined;
  // With -a it reads a file instead.
  const readsOther = reading.uses.some(({ kind }) => kind !== "unknown");
  if (readsOther || partsNames(reading)) return undefined;
  return state.takesPlain(names.globs, folders) ? names.words() : undefined;
}

/** The words of a command with the arguments that its wrapper adds. */
function withArguments(
  words: readonly Word[],
  { adds: { atEnd, placeholders }, command, names, isMany }: {
    adds: AddedArguments;
    command: SimpleCommand;
    names: readonly Word[] | undefined;
    /** True if a placeholder stands for several words (`-exec … {} +`). */
    isMany: boolean;
  },
): readonly Word[] {
  const added = names || isFindInFolder(command.words) ? NAME : HOLE;
  let isMarked = false;
  const replaceIn = (word: Word): Word => {
    if (placeholders.some((each) => mayBecome(word.shape, each))) return { ...word, shape: HOLE };
    const shape = placeholders.reduce((text, each) => text.replaceAll(each, added), word.shape);
    if (shape === word.shape) return word;
    isMarked = true;
    const splits = word.splits || isMany;
    return { ...word, shape, splits, ...namesAround(word, { placeholders, names }) };
  };
  const replaced = placeholders.length === 0 ? words : eachWord(words, replaceIn);
  if (atEnd === "never" || atEnd === "unmarked" && isMarked) return replaced;
  if (!names) return [...replaced, wordOfShape(added, { raw: "…", splits: true })];
  return [...replaced, { ...wordOfShape(added, { raw: "…", splits: true }), oneOf: names }];
}

/** True if an open piece of a word and the text beside it may be a placeholder together: `{$x`. */
function mayBecome(shape: string, placeholder: string): boolean {
  for (let length = 1; length < placeholder.length; length++) {
    const [before, after] = [placeholder.slice(0, length), placeholder.slice(length)];
    for (const hole of [HOLE, NAME]) {
      if (shape.includes(before + hole) || shape.includes(hole + after)) return true;
    }
  }
  return false;
}

/** The words that a word with one placeholder may be. */
function namesAround(
  { shape }: Word,
  { placeholders, names }: {
    placeholders: readonly string[];
    names: readonly Word[] | undefined;
  },
): Pick<Word, "oneOf"> {
  if (!names || placeholders.length !== 1 || !isFixed(shape)) return {};
  const parts = shape.split(placeholders[0]!);
  if (parts.length !== 2) return {};
  const [before, after] = parts.map((part) => part.replace(/[\\*?[\]{}]/g, "\\$&"));
  return {
    oneOf: names.map((name) => {
      if (name.glob !== undefined) return globWord(`${before}${name.glob}${after}`);
      return fixedWord(shape.replace(placeholders[0]!, () => name.shape));
    }),
  };
}

/** True for `find` with a starting point that does not begin with "-", so that its results do not either. */
function isFindInFolder(words: readonly Word[]): boolean {
  return words[0]?.shape === "find" && !/^-|[\uF8FF\uF8FE]/.test(words[1]?.shape ?? "-");
}

function assignmentOf({ raw, shape }: Word): Assignment {
  const equals = shape.indexOf("=");
  return { raw, name: shape.slice(0, equals), value: fixedWord(shape.slice(equals + 1)) };
}

function outerCommand(
  command: SimpleCommand,
  place: Pick<OuterCommand, "isOnly" | "wordOffset" | "lastWord">,
): OuterCommand {
  const { texts, reading } = command;
  return reading.isInterpreter
    ? { ...place, texts, interpreter: nameOf(command) }
    : { ...place, texts };
}

function nameOf({ words }: SimpleCommand): string {
  return words[0]!.shape;
}
