import { namesOf } from "./file_tails.ts";
import { joined } from "./folders.ts";
import { localPath } from "./local_path.ts";
import { isFixed } from "./parse_word.ts";
import { coversOf } from "./place.ts";
import { readText } from "./read_wrapped.ts";
import type { Reading, SimpleReader } from "./simple_reader.ts";
import type { Word } from "./tree.ts";
import type { Cover, Unit } from "./unit.ts";
import type { Use } from "./use.ts";

/** A use, and the command whose words say it. */
interface Using {
  readonly command: Reading;
  readonly reader: SimpleReader;
}

/** Adds the units of something that a command does besides. */
export function useUnits(use: Use, { command, reader }: Using): void {
  const { line, place } = reader;
  const trade = command.reading.trade ? { trade: command.words[0]!.shape } : {};
  const said = coversOf(command.texts, {
    last: use.cover === undefined ? use.last : NaN,
    place,
    ...trade,
  });
  const covers = use.cover === "line" ? said.filter((cover) => cover.trade !== undefined) : said;
  const name = command.words[0]!.shape;
  const via = use.text === name ? name : `${name} ${use.text}`;
  switch (use.kind) {
    case "name":
      return;
    case "odd":
      return line.addOdd(
        { text: via, why: use.why ?? "it cannot be known", quiet: use.quiet },
        { place, covers },
      );
    case "run":
      return runUnits(use, { command, reader, covers, via });
    case "output":
      return outputUnits(use, { reader, covers, via });
    case "read":
    case "write":
      for (const unit of fileUnits(use, { reader, covers, via })) line.add(unit);
      return;
    case "url":
      return urlUnits(use.value, { reader, covers, via });
  }
}

function runUnits(
  { value, last }: Use,
  { command, reader, covers, via }: Using & FileOptions,
): void {
  const { line, place } = reader;
  if (!isFixed(value.shape)) {
    line.addOdd({ text: via, why: "which program it runs is not fixed" }, { place, covers });
  }
  if (value.shape !== "") readText(value.text, { command, reader, alone: true, last });
}

function outputUnits(use: Use, { reader, covers, via }: FileOptions): void {
  const { line, place } = reader;
  for (const unit of fileUnits(use, { reader, covers, via })) {
    if (unit.path === "fixed") line.add({ ...unit, judged: "own" });
    else {
      const why = "which file it writes is not fixed";
      line.addOdd({ text: via, why, opens: ["write"] }, { place, covers });
    }
  }
}

function urlUnits(value: Word, options: FileOptions): void {
  const { line } = options.reader;
  for (const unit of localUnits(value, options)) line.add(unit);
  line.add({
    ...baseUnit(options.reader, options),
    kind: "url",
    text: value.text,
    // curl counts out braces and brackets by itself.
    path: isFixed(value.shape) && !/[{}[\]]/.test(value.shape) ? "fixed" : "open",
  });
}

interface FileOptions {
  readonly reader: SimpleReader;
  readonly covers: readonly Cover[];
  readonly via: string;
}

/** The units of a file: one for each folder that it may stand in, and each name that it may be. */
function fileUnits(use: Use, options: FileOptions): readonly Unit[] {
  const { reader } = options;
  const kind = use.kind === "read" ? "read" : "write";
  const base = { ...baseUnit(reader, options), kind } as const;
  const { folders } = reader;
  return namesOf(use.value).flatMap((word): readonly Unit[] => {
    const fixed = isFixed(word.shape) && !word.splits;
    const elsewhere = reader.line.facts.links || folders.open && !/^[/~]/.test(word.shape);
    if (!fixed && word.glob === undefined || elsewhere) {
      return [{ ...base, text: word.raw, path: "open" }];
    }
    if (!fixed && reader.line.facts.dots) return [{ ...base, text: word.raw, path: "open" }];
    const text = fixed ? word.shape : word.glob!;
    return folders.paths.map((folder) => ({
      ...base,
      text: joined(fixed ? folder : folder.replace(/[\\*?[\]{}]/g, "\\$&"), text),
      path: fixed ? "fixed" : "glob",
    }));
  });
}

/** What a `file:` URL reads. */
function localUnits({ shape, raw }: Word, options: FileOptions): readonly Unit[] {
  const path = localPath(shape);
  if (path === undefined) return [];
  const base = { ...baseUnit(options.reader, options), kind: "read" } as const;
  return [
    path === "open" ? { ...base, text: raw, path } : { ...base, text: path.text, path: "fixed" },
  ];
}

function baseUnit(
  { place }: SimpleReader,
  { covers, via }: Pick<FileOptions, "covers" | "via">,
): Omit<Unit, "kind" | "text"> {
  return { via, depth: place.depth + 1, judged: "guarded", companion: false, covers, wide: [] };
}
