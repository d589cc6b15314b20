import { type CommandTexts, commandTexts, isSilent, wideTexts } from "./command_texts.ts";
import { afterCd, cdTarget, eitherFolders, type Folders, isStart, joined } from "./folders.ts";
import { inLoop } from "./loop_words.ts";
import { isFixed, literalOf } from "./parse_word.ts";
import { outerCovers, type Place } from "./place.ts";
import { baseName } from "./programs.ts";
import { readCommand } from "./read_command.ts";
import { redirectUnits } from "./redirect_units.ts";
import type { Simple, Word } from "./tree.ts";
import type { Cover, Unit } from "./unit.ts";
import type { After, UnitReader } from "./unit_reader.ts";
import type { CommandReading } from "./use.ts";
import { setVariables } from "./set_variables.ts";
import { useUnits } from "./use_units.ts";
import { readWrapped } from "./read_wrapped.ts";

/** Where a simple command is read. */
export interface SimpleOptions {
  /** Where it stands. */
  readonly place: Place;
  /** The folders that it may run in. */
  readonly folders: Folders;
}

/** A simple command that is being read. */
export interface Reading {
  /** Its words, braces counted out and loop variables known. */
  readonly words: readonly Word[];
  /** What its words say. */
  readonly reading: CommandReading;
  /** Its texts. */
  readonly texts: CommandTexts;
  /** The command. */
  readonly node: Simple;
}

/** Turns one simple command, and whatever it reaches, into units. */
export class SimpleReader {
  readonly line: UnitReader;
  readonly place: Place;
  readonly folders: Folders;

  constructor(line: UnitReader, { place, folders }: SimpleOptions) {
    this.line = line;
    this.place = place;
    this.folders = folders;
  }

  /** Whether it needs no allow rule beside a command that has one, as far as its words say. */
  isCompanion(node: Simple): boolean {
    return this.#readingOf(node).reading.companion;
  }

  /** Adds the units of a command; says where the next one runs. */
  read(node: Simple): After {
    const { line, place, folders } = this;
    const command = this.#readingOf(node);
    const { words, texts } = command;
    const exact = needsExact(command) ? this.#exactCovers(texts) : NO_COVERS;
    setVariables(command, { line, place, covers: exact });
    if (words.length === 0) this.#addIdle(node, texts);
    else this.#addCommand(command);
    // Only the written text has the redirections.
    const covers: readonly Cover[] = [{ text: texts.written, need: 0, limit: Infinity }];
    const redirects = { place, folders, covers, facts: line.facts };
    for (const unit of redirectUnits(node.redirects, redirects)) line.add(unit);
    line.readContents(node, { place, folders, covers: exact });
    if (
      /^(?:shopt|set)$/.test(words[0]?.shape ?? "") || words.some(({ shape }) => shape === "-O")
    ) {
      line.facts.dots = true;
    }
    const after = readWrapped(command, this);
    for (const use of command.reading.uses) useUnits(use, { command, reader: this });
    if (baseName(words[0]?.shape ?? "") === "ln") line.facts.links = true;
    return this.#after(command, after);
  }

  /** A rule that is the whole text covers all that is odd in it. */
  #exactCovers(texts: CommandTexts): readonly Cover[] {
    return [
      { text: texts.written, need: Infinity, limit: Infinity },
      ...outerCovers(this.place).map((cover) => ({ ...cover, need: Infinity })),
    ];
  }

  #readingOf(node: Simple): Reading {
    const { readings, facts: { knowledge } } = this.line;
    const known = this.place.loops.size === 0 ? readings.get(node) : undefined;
    if (known) return known;
    const { loops } = this.place;
    const whole = withChoices(node.words);
    const words = loops.size === 0 ? whole : whole.map((word) => inLoop(word, loops));
    const name = words[0] && literalOf(words[0]);
    const program = name === undefined
      ? undefined
      : knowledge.program(name) ?? knowledge.program(baseName(name));
    const texts = commandTexts(words === node.words ? node : { ...node, words }, knowledge);
    const reading = { words, reading: readCommand(words, program), texts, node };
    if (this.place.loops.size === 0) readings.set(node, reading);
    return reading;
  }

  /** An assignment or a redirection that stands alone runs nothing. */
  #addIdle(node: Simple, texts: CommandTexts): void {
    this.line.add({
      ...this.#unit(node.text),
      kind: "command",
      companion: true,
      covers: texts.own.map((cover) => ({ ...cover, need: 0 })),
      wide: wideTexts(node, { texts, globals: [] }),
    });
  }

  #addCommand({ words, reading, texts, node }: Reading): void {
    const { place } = this;
    const { knowledge } = this.line.facts;
    const first = words[0]!;
    const fixed = isFixed(first.shape) && first.shape !== "" &&
      node.words[0]!.choices === undefined;
    const wide = wideTexts({ ...node, words }, { texts, globals: reading.globals });
    const all = [...texts.own, ...outerCovers(place)];
    if (!fixed) {
      this.line.add({
        ...this.#unit(texts.written),
        kind: "opaque",
        why: `which program runs is not fixed: ${first.raw === "" ? "''" : first.raw}`,
        covers: all.map((cover) => ({ ...cover, need: Infinity })),
        wide,
      });
      return;
    }
    const strays = /^(?!\/|~\/).*\//.test(first.shape) && !isStart(this.folders);
    this.line.add({
      ...this.#unit(texts.written),
      kind: "command",
      name: first.shape,
      companion: node.assignments.every((each) => isSilent(each, knowledge)) &&
        this.#companionOf(words, reading),
      covers: strays ? [] : all,
      wide,
    });
  }

  #unit(text: string): Pick<Unit, "text" | "via" | "depth" | "judged" | "companion"> {
    const { via, depth } = this.place;
    return { text, via, depth, judged: "own", companion: false };
  }

  #companionOf(words: readonly Word[], reading: CommandReading): Unit["companion"] {
    if (words[0]!.shape.includes("/")) return false;
    if (reading.transparent) return true;
    if (words[0]!.shape === "cd") {
      const target = cdTarget(words);
      if (target === undefined || this.folders.open) return false;
      return { folders: this.folders.paths.map((path) => joined(path, target)) };
    }
    return reading.companion && !this.place.piped;
  }

  #after({ words, node }: Reading, inner: Folders | undefined): After {
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

const NO_COVERS: readonly Cover[] = [];

/** Whether a command has anything that only a rule to the letter covers. */
function needsExact({ node, reading }: Reading): boolean {
  return node.odds.length > 0 || node.arithmetic.length > 0 || node.assignments.length > 0 ||
    reading.uses.length > 0;
}

/** The words with braces counted out; the name stays, so that it is told that it was not fixed. */
function withChoices(words: readonly Word[]): readonly Word[] {
  return words.some(({ choices }) => choices)
    ? words.flatMap((word) => word.choices ?? [word])
    : words;
}
