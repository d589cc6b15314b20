import { any, type Match } from "../../model/match.ts";
import type { SearchFields } from "../../model/tool_profile.ts";
import { parsePathGlob, type PathGlob, type PathNode } from "../../pattern/path/path_glob.ts";
import type { Request } from "./facts.ts";
import type { TextMatcher } from "./value_matcher.ts";

/**
 * The matcher of a deny or ask rule on a file for a tool that searches below a folder: the folder it searches, and the
 * file that its glob names. A search below a folder counts as the folder, not as each file in it.
 */
export function searchMatcher(
  fits: TextMatcher,
  fields: SearchFields,
): (request: Request) => Match {
  return (request) => {
    const paths = searchedPaths(request, fields);
    return paths === undefined ? "indeterminate" : any(paths.map((path) => fits(path, request)));
  };
}

/** The folder that a call searches, then the files that its glob names there; undefined when that cannot be told. */
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

/** How many files of one glob are looked at by name. */
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
