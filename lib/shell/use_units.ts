import { joined } from "./folders.ts";
import { isFixed } from "./parse/parse_word.ts";
import { HOLE, type Word } from "./parse/tree.ts";
import { allowTextsOf } from "./place.ts";
import { namesOf } from "./programs/file_tails.ts";
import type { ProgramUse } from "./programs/use.ts";
import { readText } from "./read_wrapped.ts";
import type { SimpleCommand, SimpleReader } from "./simple_reader.ts";
import type { AllowText, Effect } from "./unit.ts";

/** A use, and the command whose words say it. */
interface Using {
  readonly command: SimpleCommand;
  readonly reader: SimpleReader;
}

/** Adds the units of something that a command does besides. */
export function useEffects(use: ProgramUse, { command, reader }: Using): void {
  const { line, place } = reader;
  const trade = command.reading.isInterpreter ? { trade: command.words[0]!.shape } : {};
  const said = allowTextsOf(command.texts, {
    last: use.coverage === undefined ? use.lastWord : NaN,
    place,
    ...trade,
  });
  const covers = use.coverage === "line"
    ? said.filter((cover) => cover.interpreter !== undefined)
    : said;
  const name = command.words[0]!.shape;
  const via = use.text === name ? name : `${name} ${use.text}`;
  switch (use.kind) {
    case "name":
      return;
    case "unknown":
      return line.addUnknown(
        { text: via, why: use.why ?? "it cannot be known", isOrdinaryScript: use.isOrdinaryScript },
        { place, covers },
      );
    case "run":
      return runEffects(use, { command, reader, allowTexts: covers, via });
    case "output":
      return outputEffects(use, { reader, allowTexts: covers, via });
    case "read":
    case "write":
      for (const effect of fileEffects(use, { reader, allowTexts: covers, via })) line.add(effect);
      return;
    case "url":
      return urlEffects(use.value, { reader, allowTexts: covers, via });
  }
}

function runEffects(
  { value, lastWord }: ProgramUse,
  { command, reader, allowTexts, via }: Using & FileOptions,
): void {
  const { line, place } = reader;
  if (!isFixed(value.shape)) {
    line.addUnknown({ text: via, why: "which program it runs is not fixed" }, {
      place,
      covers: allowTexts,
    });
  }
  if (value.shape !== "") readText(value.text, { command, reader, alone: true, last: lastWord });
}

function outputEffects(use: ProgramUse, { reader, allowTexts, via }: FileOptions): void {
  const { line, place } = reader;
  for (const effect of fileEffects(use, { reader, allowTexts, via })) {
    if (effect.path === "fixed") line.add({ ...effect, checkedAgainst: "own" });
    else {
      const why = "which file it writes is not fixed";
      line.addUnknown({ text: via, why, unknownFileAccess: ["write"] }, {
        place,
        covers: allowTexts,
      });
    }
  }
}

function urlEffects(value: Word, options: FileOptions): void {
  const { line } = options.reader;
  for (const effect of localEffects(value, options)) line.add(effect);
  line.add({
    ...baseEffect(options.reader, options),
    kind: "url",
    text: value.text,
    // curl counts out braces and brackets by itself.
    path: isFixed(value.shape) && !/[{}[\]]/.test(value.shape) ? "fixed" : "open",
  });
}

interface FileOptions {
  readonly reader: SimpleReader;
  readonly allowTexts: readonly AllowText[];
  readonly via: string;
}

/** The units of a file: one for each folder that it may stand in, and each name that it may be. */
function fileEffects(use: ProgramUse, options: FileOptions): readonly Effect[] {
  const { reader } = options;
  const kind = use.kind === "read" ? "read" : "write";
  const base = { ...baseEffect(reader, options), kind } as const;
  const { folders } = reader;
  return namesOf(use.value).flatMap((word): readonly Effect[] => {
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
function localEffects({ shape, raw }: Word, options: FileOptions): readonly Effect[] {
  const path = localPath(shape);
  if (path === undefined) return [];
  const base = { ...baseEffect(options.reader, options), kind: "read" } as const;
  return [
    path === "open" ? { ...base, text: raw, path } : { ...base, text: path.text, path: "fixed" },
  ];
}

function baseEffect(
  { place }: SimpleReader,
  { allowTexts, via }: Pick<FileOptions, "allowTexts" | "via">,
): Omit<Effect, "kind" | "text"> {
  return {
    via,
    depth: place.depth + 1,
    checkedAgainst: "guarded",
    isHarmless: false,
    allowTexts,
    denyTexts: [],
  };
}

/**
 * The file that a URL names; `open` where it may name one that the line does not fix, undefined where it names none. curl
 * counts out braces and brackets by itself, and takes what has no scheme for http or ftp.
 */
function localPath(shape: string): { readonly text: string } | "open" | undefined {
  const head = shape.slice(0, shape.search(ANY));
  const scheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*):/.exec(ANY.test(shape) ? head : shape)?.[1];
  if (scheme === undefined) return ANY.test(shape) ? "open" : undefined;
  if (scheme.toLowerCase() !== "file") return undefined;
  if (ANY.test(shape)) return "open";
  const path = shape.replace(/^\s*file:(?:\/\/[^/]*)?/i, "");
  try {
    return { text: decodeURIComponent(path.replace(/[?#].*$/s, "")) };
  } catch (error) {
    if (error instanceof URIError) return "open";
    throw error;
  }
}

const ANY = new RegExp(`[{}[\\]*?${HOLE}]`);
