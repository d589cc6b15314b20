import type { SearchFields } from "../../model/call.ts";
import { type Glob, globsOverlap, parseGlob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import { parsePathGlob, type PathGlob, type PathNode } from "../../pattern/path/path_glob.ts";
import { printPathPattern } from "../../pattern/path/path_pattern.ts";
import { foldCase } from "../../pattern/unicode.ts";
import { namesSources } from "../../shell/programs/file_patterns.ts";
import type { Request } from "./request.ts";

/** The folder that a call searches, then the files that its glob names there; undefined if they are unknown. */
export function searchedPaths(
  request: Request,
  fields: SearchFields,
): readonly string[] | undefined {
  const folder = request.field(fields.path);
  const glob = fields.glob === undefined ? undefined : request.field(fields.glob);
  if (folder.state === "unknown" || glob?.state === "unknown") return undefined;
  const path = folder.state === "text" ? folder.text : ".";
  const names = glob?.state === "text" ? globNames(glob.text) : [];
  if (names.length > MAX_NAMES) return undefined;
  return [path, ...names.map((name) => `${path}/${name}`)];
}

/** The files that a search glob names, one by one; none for what it excludes. A `*` stands for itself: it names no file. */
function globNames(glob: string): readonly string[] {
  const plain = literalTexts(glob);
  // Some tools take several globs, parted by commas or blanks.
  const parts = /[,\s]/.test(glob) ? glob.split(/[,\s]+/).flatMap(literalTexts) : [];
  return [...plain, ...parts]
    .filter((name) => name !== "" && !name.startsWith("!"))
    .map((name) => name.replace(/^\/+/, "").replace(/^(\*\*\/)+/, ""));
}

/** True if a call has a glob that may name files which its text does not spell. */
export function hasOpenGlob(request: Request, fields: SearchFields): boolean {
  return openNames(request, fields).length > 0;
}

/** The last names of a call's glob that have wildcards and letters, but for those of source files. */
function openNames(request: Request, { glob }: SearchFields): readonly string[] {
  const field = glob === undefined ? undefined : request.field(glob);
  if (field?.state !== "text") return [];
  return globNames(field.text).map(lastName)
    .filter((name) => /[*?]/.test(name) && !/^[*?]*$/.test(name) && !namesSources(name));
}

/**
 * True if a glob of a search may name a file as a rule names it: `.e*` for `**\/.env`. A glob of all files, or of source files,
 * counts as the folder.
 */
export function globMayNameLike(
  request: Request,
  { fields, test }: { fields: SearchFields; test: Extract<ValueTest, { kind: "path" }> },
): boolean {
  const names = openNames(request, fields).flatMap(namePattern);
  if (names.length === 0) return false;
  const rules = literalTexts(foldCase(printPathPattern(test.pattern))).map(lastName)
    .filter((name) => !/^[*?]*$/.test(name)).flatMap(namePattern);
  return names.some((name) => rules.some((rule) => globsOverlap(name, rule)));
}

function namePattern(name: string): readonly Glob[] {
  const glob = parseGlob(foldCase(name));
  return glob.ok ? [glob.value] : [];
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The most files of one glob that are looked at by name. */
const MAX_NAMES = 256;

function literalTexts(glob: string): readonly string[] {
  const parsed = parsePathGlob(glob);
  return parsed.ok ? textsOf(parsed.value) : [glob];
}

function textsOf(glob: PathGlob): readonly string[] {
  let texts: readonly string[] = [""];
  for (const node of glob) {
    const next = nodeTexts(node);
    texts = texts.flatMap((text) => next.map((more) => text + more)).slice(0, MAX_NAMES + 1);
  }
  return texts;
}

function nodeTexts(node: PathNode): readonly string[] {
  switch (node.kind) {
    case "either":
      return node.options.flatMap(textsOf);
    case "set":
      return [node.text, ...node.ranges.map(([low]) => String.fromCodePoint(low))];
    case "text":
      return [node.text];
    case "star":
      return ["*"];
    case "anyChar":
      return ["?"];
    case "globstar":
      return ["**"];
  }
}
