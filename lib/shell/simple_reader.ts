import { type CommandTexts, commandTexts, denyTexts, isDirectoryOnly } from "./command_texts.ts";
import { afterCd, cdTarget, eitherFolders, type Folders, isStart, joined } from "./folders.ts";
import { inLoop } from "./loop_words.ts";
import { isFixed, literalOf } from "./parse/parse_word.ts";
import type { Simple, Word } from "./parse/tree.ts";
import { type CommandContext, outerAllowTexts } from "./place.ts";
import { baseName } from "./programs/programs.ts";
import { readCommand } from "./programs/read_command.ts";
import type { CommandUse } from "./programs/use.ts";
import { readWrapped } from "./read_wrapped.ts";
import { redirectEffects } from "./redirect_units.ts";
import type { AllowText, Effect } from "./unit.ts";
import type { BranchStates, EffectReader } from "./unit_reader.ts";
import { useEffects } from "./use_units.ts";

/** Where a simple command is read. */
export interface SimpleOptions {
  /** Where it stands. */
  readonly place: CommandContext;
  /** The folders that it may run in. */
  readonly folders: Folders;
}

/** A simple command that is being read. */
export interface SimpleCommand {
  /** Its words, braces counted out and loop variables known. */
  readonly words: readonly Word[];
  /** What its words say. */
  readonly reading: CommandUse;
  /** Its texts. */
  readonly texts: CommandTexts;
  /** The command. */
  readonly node: Simple;
}

/** Turns one simple command, and whatever it reaches, into units. */
export class SimpleReader {
  readonly line: EffectReader;
  readonly place: CommandContext;
  readonly folders: Folders;

  constructor(line: EffectReader, { place, folders }: SimpleOptions) {
    this.line = line;
    this.place = place;
    this.folders = folders;
  }

  /** Whether it needs no allow rule beside a command that has one, as far as its words say. */
  isHarmless(node: Simple): boolean {
    return this.#readingOf(node).reading.isHarmless;
  }

  /** Adds the units of a command; says where the next one runs. */
  read(node: Simple): BranchStates {
    const { line, place, folders } = this;
    const command = this.#readingOf(node);
    const { words, texts } = command;
    const exact = needsExact(command) ? this.#exactTexts(texts) : NO_TEXTS;
    setVariables(command, { line, place, covers: exact });
    if (words.length === 0) this.#addIdle(node, texts);
    else this.#addCommand(command);
    // Only the written text has the redirections.
    const covers: readonly AllowText[] = [{
      text: texts.written,
      minLiteral: 0,
      maxLiteral: Infinity,
    }];
    const redirects = { place, folders, allowTexts: covers, facts: line.facts };
    for (const effect of redirectEffects(node.redirects, redirects)) line.add(effect);
    line.readContents(node, { place, folders, covers: exact });
    if (
      /^(?:shopt|set)$/.test(words[0]?.shape ?? "") || words.some(({ shape }) => shape === "-O")
    ) {
      line.facts.dots = true;
    }
    const after = readWrapped(command, this);
    for (const use of command.reading.uses) useEffects(use, { command, reader: this });
    if (baseName(words[0]?.shape ?? "") === "ln") line.facts.links = true;
    return this.#after(command, after);
  }

  /** A rule that is the whole text covers all that is odd in it. */
  #exactTexts(texts: CommandTexts): readonly AllowText[] {
    return [
      { text: texts.written, minLiteral: Infinity, maxLiteral: Infinity },
      ...outerAllowTexts(this.place).map((cover) => ({ ...cover, minLiteral: Infinity })),
    ];
  }

  #readingOf(node: Simple): SimpleCommand {
    const { readings, facts: { catalog } } = this.line;
    const known = this.place.loops.size === 0 ? readings.get(node) : undefined;
    if (known) return known;
    const { loops } = this.place;
    const whole = withChoices(node.words);
    const words = loops.size === 0 ? whole : whole.map((word) => inLoop(word, loops));
    const name = words[0] && literalOf(words[0]);
    const program = name === undefined
      ? undefined
      : catalog.program(name) ?? catalog.program(baseName(name));
    const texts = commandTexts(words === node.words ? node : { ...node, words }, catalog);
    const reading = { words, reading: readCommand(words, program), texts, node };
    if (this.place.loops.size === 0) readings.set(node, reading);
    return reading;
  }

  /** An assignment or a redirection that stands alone runs nothing. */
  #addIdle(node: Simple, texts: CommandTexts): void {
    this.line.add({
      ...this.#unit(node.text),
      kind: "command",
      isHarmless: true,
      allowTexts: texts.own.map((cover) => ({ ...cover, minLiteral: 0 })),
      denyTexts: denyTexts(node, { texts, globals: [] }),
    });
  }

  #addCommand({ words, reading, texts, node }: SimpleCommand): void {
    const { place } = this;
    const { catalog } = this.line.facts;
    const first = words[0]!;
    const fixed = isFixed(first.shape) && first.shape !== "" &&
      node.words[0]!.choices === undefined;
    const wide = denyTexts({ ...node, words }, { texts, globals: reading.globals });
    const all = [...texts.own, ...outerAllowTexts(place)];
    if (!fixed) {
      this.line.add({
        ...this.#unit(texts.written),
        kind: "opaque",
        why: `which program runs is not fixed: ${first.raw === "" ? "''" : first.raw}`,
        allowTexts: all.map((cover) => ({ ...cover, minLiteral: Infinity })),
        denyTexts: wide,
      });
      return;
    }
    const strays = /^(?!\/|~\/).*\//.test(first.shape) && !isStart(this.folders);
    this.line.add({
      ...this.#unit(texts.written),
      kind: "command",
      name: first.shape,
      isHarmless: node.assignments.every((each) => isDirectoryOnly(each, catalog)) &&
        this.#harmlessOf(words, reading),
      allowTexts: strays ? [] : all,
      denyTexts: wide,
    });
  }

  #unit(text: string): Pick<Effect, "text" | "via" | "depth" | "checkedAgainst" | "isHarmless"> {
    const { via, depth } = this.place;
    return { text, via, depth, checkedAgainst: "own", isHarmless: false };
  }

  #harmlessOf(words: readonly Word[], reading: CommandUse): Effect["isHarmless"] {
    if (words[0]!.shape.includes("/")) return false;
    if (reading.isTransparentWrapper) return true;
    if (words[0]!.shape === "cd") {
      const target = cdTarget(words);
      if (target === undefined || this.folders.open) return false;
      return { folders: this.folders.paths.map((path) => joined(path, target)) };
    }
    return reading.isHarmless && !this.place.piped;
  }

  #after({ words, node }: SimpleCommand, inner: Folders | undefined): BranchStates {
    const { folders } = this;
    const name = words[0]?.shape ?? "";
    const open: Folders = { ...folders, open: true };
    if (name === "cd" && node.assignments.length > 0) return { ok: open, bad: open };
    if (name === "cd") {
      return { ok: afterCd(words, folders) ?? open, bad: folders };
    }
    if (name === "pushd" && words.length === 2 && /^[^-+]/.test(words[1]!.shape)) {
      return { ok: afterCd(words, folders) ?? open, bad: folders };
    }
    if (/^(?:pushd|popd|source|\.)$/.test(name)) return { ok: open, bad: open };
    if (!inner || !/^(?:command|builtin|eval)$/.test(name)) return { ok: folders, bad: folders };
    const either = eitherFolders(folders, inner);
    return { ok: either, bad: either };
  }
}

const NO_TEXTS: readonly AllowText[] = [];

/** Whether a command has anything that only a rule to the letter covers. */
function needsExact({ node, reading }: SimpleCommand): boolean {
  return node.unknowns.length > 0 || node.arithmetic.length > 0 || node.assignments.length > 0 ||
    reading.uses.length > 0;
}

/** The words with braces counted out; the name stays, so that it is told that it was not fixed. */
function withChoices(words: readonly Word[]): readonly Word[] {
  return words.some(({ choices }) => choices)
    ? words.flatMap((word) => word.choices ?? [word])
    : words;
}

/** Builtins that hand variables on to every later command. */
const EXPORTERS = /^(?:export|declare|typeset|readonly)$/;

/** Notes the variables that a command sets, and tells those that steer what runs afterwards. */
function setVariables(
  { words, reading, node }: SimpleCommand,
  { line, place, covers }: {
    line: EffectReader;
    place: CommandContext;
    covers: readonly AllowText[];
  },
): void {
  const { facts } = line;
  const odd = (text: string, why: string) => line.addUnknown({ text, why }, { place, covers });
  for (const { raw, name, value } of node.assignments) {
    facts.set(name, value);
    if (words.length === 0 && facts.catalog.isSteeringVariable(name)) {
      odd(raw, `"${name}" steers what runs afterwards`);
    }
  }
  const builtin = words[0]?.shape ?? "";
  if (
    builtin === "set" && words.slice(1).some(({ shape }) => !/^[-+]/.test(shape) || shape === "--")
  ) {
    facts.set("@");
  }
  for (const { kind, value } of reading.uses) {
    if (kind !== "name") continue;
    const { name, text } = namedBy(value);
    facts.set(name, text);
    if (!isFixed(name) || !/^\w+$/.test(name)) {
      odd(value.raw, "which variable it sets is not fixed, or has a subscript that is evaluated");
    } else if (facts.catalog.isSteeringVariable(name)) {
      odd(value.raw, `"${name}" steers what runs afterwards`);
    } else if (
      EXPORTERS.test(builtin) && text !== undefined && !facts.catalog.isHarmlessVariable(name)
    ) {
      odd(value.raw, `"${name}" reaches every program that runs afterwards`);
    }
  }
}

/** The variable that `NAME`, `NAME=value` or `NAME+=value` sets, and to what. */
function namedBy({ shape }: Word): { name: string; text?: Word } {
  const equals = shape.indexOf("=");
  if (equals < 0) return { name: shape };
  const value = shape.slice(equals + 1);
  const name = shape.slice(0, equals).replace(/\+$/, "");
  return { name, text: { raw: value, text: value, shape: value, splits: false } };
}
