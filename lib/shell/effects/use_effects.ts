import type { AllowText, DenyText, Effect, InlineCode, OpenEffect } from "../effect.ts";
import { alternativesOf, HOLE, isFixed, type Word } from "../parse/tree.ts";
import { type ProgramUse, unknownUse } from "../programs/program_use.ts";
import { type Scope, useAllowTexts } from "./command_context.ts";
import { joinPath, START } from "./folders.ts";
import { openAccess, STREAM } from "./redirect_effects.ts";
import { isHarmlessAssignment } from "./texts/assignment_kind.ts";
import type { SimpleCommand } from "./simple_command.ts";
import { readText } from "./wrapped_effects.ts";

/** The surroundings of a use. */
interface UseScope {
  readonly scope: Scope;
  readonly allowTexts: readonly AllowText[];
  /** The program and the words of the use, for people. */
  readonly via: string;
}

/** Adds the effects of one use of a command. */
export function addUse(
  use: ProgramUse,
  { command, scope }: { command: SimpleCommand; scope: Scope },
): void {
  const { line, context, owner } = scope;
  if (use.kind === "name") return;
  const allowTexts = allowTextsOf(use, { command, context });
  const name = command.words[0]!.shape;
  const via = use.text === name ? name : `${name} ${use.text}`;
  const options = { scope, allowTexts, via };
  // A stream is no file.
  const writes = use.kind === "write" || use.kind === "output";
  if (writes && use.value.shape.startsWith("/dev/") && STREAM.test(use.value.shape)) return;
  switch (use.kind) {
    case "unknown": {
      const { why = "its effect is unknown", isOrdinaryScript, isScript } = use;
      const code = use.isInline ? inlineCode(use, { command, scope }) : undefined;
      const part = { text: via, why, isOrdinaryScript, isScript, code };
      return line.addUnknown(part, { context, allowTexts, owner });
    }
    case "run":
      return runProgram(use, { ...options, command });
    case "output":
      return addOutput(use, options);
    case "read":
    case "write":
      if (isOneFile(use, scope)) line.add(fileEffect(use, options));
      else for (const effect of fileEffects(use, options)) line.add(effect);
      return;
    case "fill":
      for (const effect of fileEffects({ ...use, kind: "write" }, options)) {
        line.add(effect.path === "fixed" ? { ...effect, path: "below" } : effect);
      }
      return;
    case "url":
      addUrl(use.value, options);
  }
}

/** The use of standard input by a program that takes commands from it. */
export function promptUse(
  words: readonly Word[],
  coverage: "line" | "identical",
): ProgramUse {
  const why = "it takes commands from its standard input, which the line gives";
  return { ...unknownUse(words, { last: words.length - 1, from: 1, why }), coverage };
}

const NO_TRADES: readonly number[] = [];

/** The texts by which an allow rule allows a use, as far as it must be named. */
function allowTextsOf(
  { coverage, lastWord, trade }: ProgramUse,
  { command: { texts, reading }, context }: Pick<Scope, "context"> & { command: SimpleCommand },
): readonly AllowText[] {
  const trades = reading.isInterpreter || trade !== undefined
    ? [...(reading.isInterpreter ? [0] : []), ...(trade === undefined ? [] : [trade])]
    : NO_TRADES;
  const last = coverage === undefined ? lastWord : NaN;
  const all = useAllowTexts(texts, { last, context, trades });
  if (coverage !== "line" && coverage !== "identical") return all;
  return all.filter(({ interpreter }) => (interpreter !== undefined) === (coverage === "line"));
}

/** Code in the words of a command; one that runs its standard input has it in a here-document. */
function inlineCode(
  { coverage, trade = 0 }: ProgramUse,
  { command: { node, words }, scope: { folders, line } }: {
    readonly command: SimpleCommand;
    readonly scope: Scope;
  },
): InlineCode {
  const inputs = node.redirects.filter(({ operator }) => operator.startsWith("<"));
  const given = inputs.filter(({ operator }) => operator.startsWith("<<"))
    .flatMap(({ target }) => target ?? []);
  const all = [...words.slice(trade + 1), ...given];
  const isLiteral = all.every(({ shape, splits }) => isFixed(shape) && !splits) &&
    node.assignments.every((each) => isHarmlessAssignment(each, line.state.catalog)) &&
    (coverage !== "line" || inputs.length === 1 && given.length === 1) && !folders.open;
  if (!isLiteral) return {};
  // A name in the code may go on from the folder that the line enters.
  return { text: [...folders.paths, ...all.map(({ shape }) => shape)].join("\n") };
}

function runProgram(
  { value, lastWord }: ProgramUse,
  { command, scope, allowTexts, via }: UseScope & { command: SimpleCommand },
): void {
  const { line, context } = scope;
  if (!isFixed(value.shape)) {
    const why = "the program that it runs is not fixed";
    line.addUnknown({ text: via, why }, { context, allowTexts });
  }
  if (value.shape !== "") readText(value.text, { command, scope, isOnly: true, last: lastWord });
}

/** Adds a file that is written as a side effect: a rule must allow it. */
function addOutput(use: ProgramUse, { scope, allowTexts, via }: UseScope): void {
  const { line, context, owner } = scope;
  for (const effect of fileEffects(use, { scope, allowTexts, via })) {
    if (effect.path === "fixed") line.add({ ...effect, checkedAgainst: "allRules" });
    else {
      const why = "the file that it writes is not fixed";
      const part = { text: via, why, unknownFileAccess: ["write"] } as const;
      line.addUnknown(part, { context, allowTexts, owner });
    }
  }
}

function addUrl(value: Word, options: UseScope): void {
  const { line } = options.scope;
  for (const effect of localFileEffects(value, options)) line.add(effect);
  const effect = baseEffect(options, { kind: "url", text: value.text });
  // curl itself expands braces and brackets.
  effect.path = isFixed(value.shape) && !/[{}[\]]/.test(value.shape) ? "fixed" : "open";
  line.add(effect);
}

/** True for a file of one fixed name in the folder of the call, where no name may be a link: most are. */
function isOneFile(
  { value: { shape, splits, oneOf, choices }, from }: ProgramUse,
  { line: { state }, folders }: Scope,
): boolean {
  return folders === START && from === undefined && !splits && oneOf === undefined &&
    choices === undefined && isFixed(shape) && !state.makesLinks && state.changed.length === 0;
}

function fileEffect(use: ProgramUse, options: UseScope): Effect {
  const kind = use.kind === "read" ? "read" : "write";
  const effect: OpenEffect = baseEffect(options, { kind, text: use.value.shape });
  effect.path = "fixed";
  if (use.isListed) effect.isListed = true;
  if (use.isBound) effect.isBound = true;
  return effect;
}

/** The effects on a file: one for each name that it may have, in each folder that it may be in. */
function fileEffects(use: ProgramUse, options: UseScope): readonly Effect[] {
  const { line: { state }, folders } = options.scope;
  const { changed } = state;
  const behind = changed.length > 0 && !use.inTree ? changed : undefined;
  const effects: Effect[] = [];
  const add = (text: string, path: "open" | "fixed" | "glob") => {
    const effect: OpenEffect = baseEffect(options, {
      kind: use.kind === "read" ? "read" : "write",
      text,
    });
    effect.path = path;
    if (use.isListed) effect.isListed = true;
    if (use.isBound) effect.isBound = true;
    if (behind !== undefined && path !== "open") effect.behind = behind;
    if (path === "glob" && !state.changesTree && !use.isPattern) effect.mayLookUp = true;
    effects.push(effect);
  };
  for (const word of alternativesIn(use)) {
    if (word.isPipe) continue;
    const isPathFixed = isFixed(word.shape) && !word.splits;
    const isOpen = !isPathFixed && (word.glob === undefined || state.globsMatchDots) ||
      state.makesLinks || folders.open && !/^[/~]/.test(word.shape);
    if (isOpen) add(word.raw, "open");
    else {
      const paths = use.fromRoot ? [...new Set([...folders.paths, ""])] : folders.paths;
      for (const folder of paths) {
        if (isPathFixed) add(joinPath(folder, word.shape), "fixed");
        else add(joinPath(escapedGlob(folder), word.glob!), "glob");
      }
    }
  }
  return effects;
}

/** The names that the word of a use may be, from each of its folders. */
function alternativesIn({ value, from }: ProgramUse): readonly Word[] {
  const names = alternativesOf(value);
  if (from === undefined) return names;
  const inFolders = from.flatMap((folder) =>
    names.filter(({ shape }) => !/^[/~]/.test(shape)).map((name) => {
      const { glob } = name;
      const prefix = folder.shape.replace(/\/*$/, "/");
      return {
        ...name,
        shape: prefix + name.shape,
        ...(glob === undefined ? {} : { glob: escapedGlob(prefix) + glob }),
      };
    })
  );
  return [...names, ...inFolders];
}

function escapedGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** The file that a `file:` URL reads. */
function localFileEffects({ shape, raw }: Word, options: UseScope): readonly Effect[] {
  const path = localPath(shape);
  if (path === undefined) return [];
  const text = path === "open" ? raw : path.text;
  const effect = baseEffect(options, { kind: "read", text });
  effect.path = path === "open" ? path : "fixed";
  return [effect];
}

const NO_DENY_TEXTS: readonly DenyText[] = [];

function baseEffect(
  { scope, allowTexts, via }: UseScope,
  { kind, text }: Pick<Effect, "kind" | "text">,
): OpenEffect {
  const effect = openAccess({
    kind,
    text,
    via,
    depth: scope.context.depth + 1,
    checkedAgainst: "userDenies",
    isHarmless: false,
    allowTexts,
    denyTexts: NO_DENY_TEXTS,
  });
  effect.of = scope.owner;
  return effect;
}

/**
 * The path of a `file:` URL; `open` if the line does not fix it, undefined for other URLs. curl itself expands braces and
 * brackets, and takes a URL without a scheme for http or ftp.
 */
function localPath(shape: string): { readonly text: string } | "open" | undefined {
  const head = shape.slice(0, shape.search(OPEN));
  const scheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*):/.exec(OPEN.test(shape) ? head : shape)?.[1];
  if (scheme === undefined) return OPEN.test(shape) ? "open" : undefined;
  if (scheme.toLowerCase() !== "file") return undefined;
  if (OPEN.test(shape)) return "open";
  const path = shape.replace(/^\s*file:(?:\/\/[^/]*)?/i, "");
  try {
    return { text: decodeURIComponent(path.replace(/[?#].*$/s, "")) };
  } catch (error) {
    if (error instanceof URIError) return "open";
    throw error;
  }
}

/** A character of a URL that may stand for others. */
const OPEN = new RegExp(`[{}[\\]*?${HOLE}]`);
