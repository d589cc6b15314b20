import { all, any, fromBoolean, type Match, negated } from "../../model/verdict.ts";
import type { SearchFields } from "../../model/call.ts";
import { type Glob, matchGlob, onlyText, printGlob } from "../../pattern/glob.ts";
import type { FieldTest, ValueTest } from "../../pattern/parse_pattern.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { mayPathMatcher, mustPathMatcher } from "../../pattern/path/match_path.ts";
import { pathReadings } from "../../pattern/path/path_readings.ts";
import { parsePathGlob, type PathGlob, type PathNode } from "../../pattern/path/path_glob.ts";
import type { CallUrl } from "../../pattern/url/call_url.ts";
import {
  domainMatcher,
  mayUrlMatcher,
  mustUrlMatcher,
  urlParts,
} from "../../pattern/url/url_pattern.ts";
import { commandMatcher } from "./command_matcher.ts";
import type { FieldText } from "./input_fields.ts";
import type { Request } from "./request.ts";

/** `parsed`: effect by effect. `literal`: as one string. `other`: as a line of a shell that is not POSIX. */
export type CommandMode = "parsed" | "literal" | "other";

/** The semantics of a rule's pattern. */
export interface MatcherContext {
  /**
   * `must`: matches only a text that is surely meant, as an allow rule has to. `may`: matches every text that could be meant,
   * as a deny or ask rule has to.
   */
  readonly semantics: "must" | "may";
  /** The `shell` setting. */
  readonly shell: CommandMode;
  /** Set if the rule asks. */
  readonly asks?: boolean;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
}

/** The match of a call's text. */
export type TextMatcher = (text: string, request: Request) => Match;

/** The matcher of one test. */
export function textMatcher(test: ValueTest, reading: MatcherContext): TextMatcher {
  switch (test.kind) {
    case "text":
      return reading.semantics === "must" && !isPlainText(test.glob)
        ? (text) => fromBoolean(matchGlob(test.glob, text) && !/(^|[\\/])\.\.([\\/]|$)/.test(text))
        : (text) => fromBoolean(matchGlob(test.glob, text));
    case "command":
      return commandMatcher(test, reading);
    case "path": {
      const fits = reading.semantics === "must"
        ? mustPathMatcher(test.pattern)
        : mayPathMatcher(test.pattern, reading.context, reading);
      return (text, request) => fits(request.path(text));
    }
    case "url": {
      const fits = urlMatcher(test.glob, reading);
      return (text, request) => anyUrl(fits, { text, request, reading });
    }
    case "domain": {
      const fits = domainMatcher(test.host, reading);
      return (text, request) => anyUrl(fits, { text, request, reading });
    }
  }
}

/**
 * The match of a URL: in every reading for an allow rule, in any for another. An ask that matches only some of them must not
 * end the search for a deny of the others.
 */
function anyUrl(
  fits: (url: CallUrl) => Match,
  { text, request, reading: { semantics, asks } }: {
    readonly text: string;
    readonly request: Request;
    readonly reading: MatcherContext;
  },
): Match {
  const matches = request.urls(text).map(fits);
  const everywhere = all(matches);
  if (semantics === "must") return everywhere;
  const found = any(matches);
  return asks && found === "yes" && everywhere !== "yes" ? "indeterminate" : found;
}

/** A text with a slash may be a path, and a `*` in it would let `..` lead anywhere. */
function isPlainText(glob: Glob): boolean {
  const text = printGlob(glob);
  return onlyText(glob) !== undefined || !/[\\/]/.test(text);
}

function urlMatcher(glob: Glob, reading: MatcherContext) {
  const parts = urlParts(printGlob(glob));
  const value = parts.ok ? parts.value : undefined;
  return reading.semantics === "must" ? mustUrlMatcher(value) : mayUrlMatcher(value, glob, reading);
}

/** The matcher of one `key=glob` or `key!=glob`. */
export function fieldMatcher(
  field: FieldTest,
  reading: MatcherContext,
): (request: Request) => Match {
  const fits = textMatcher(field.test, fieldContext(field, reading));
  return (request) => {
    const value: FieldText = field.isArgument ? request.first : request.field(field.key);
    switch (value.state) {
      case "none":
      case "missing":
        return fromBoolean(field.negated && reading.semantics === "may");
      case "unknown":
        return "indeterminate";
      case "text":
        return field.negated ? negated(fits(value.text, request)) : fits(value.text, request);
    }
  };
}

/** The context of a field's test. Under `!=` it is the opposite: what must not surely fit may not even possibly fit. */
export function fieldContext(field: FieldTest, reading: MatcherContext): MatcherContext {
  return field.negated ? { ...reading, semantics: opposite(reading.semantics) } : reading;
}

function opposite(semantics: MatcherContext["semantics"]): MatcherContext["semantics"] {
  return semantics === "must" ? "may" : "must";
}

/**
 * The matcher of a deny or ask rule on a file for a tool that searches below a folder: the folder it searches, and the
 * file that its glob names. A search below a folder counts as the folder, not as each file in it.
 */
export function searchMatcher(
  fits: TextMatcher,
  { asks, ...fields }: SearchFields & { readonly asks?: boolean | undefined },
): (request: Request) => Match {
  return (request) => {
    const paths = searchedPaths(request, fields);
    if (paths === undefined) return "indeterminate";
    const matches = paths.map((path) => fits(path, request));
    const found = any(matches);
    // An ask about some of the files must not end the search for a deny of the others.
    return asks && found === "yes" && all(matches) !== "yes" ? "indeterminate" : found;
  };
}

/** The searched paths of a request: each rule asks for them. */
const known = new WeakMap<Request, { readonly paths: readonly string[] | undefined }>();

/** The folder that a call searches, then the files that its glob names there; undefined if they are unknown. */
export function searchedPaths(
  request: Request,
  fields: SearchFields,
): readonly string[] | undefined {
  let found = known.get(request);
  if (found === undefined) known.set(request, found = { paths: pathsIn(request, fields) });
  return found.paths;
}

function pathsIn(request: Request, fields: SearchFields): readonly string[] | undefined {
  const searched = searchedNames(request, fields);
  return searched && [
    searched.folder,
    ...searched.names.flatMap((name) => [
      ...searched.folders.map((folder) => `${folder}/${name.replace(/^[\\/]+/, "")}`),
      // Some tools take a glob as a path of its own.
      ...(/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(name) ? [name] : []),
    ]),
  ];
}

/** The folder that a call searches and the files that its glob names. */
export interface SearchedNames {
  /** The folder as written. */
  readonly folder: string;
  /** Each reading of the folder. */
  readonly folders: readonly string[];
  /** The names of the glob, one by one; with a slash at the start where it has one. */
  readonly names: readonly string[];
}

/** The folder that a call searches and the names of its glob; undefined if they are unknown. */
export function searchedNames(
  request: Request,
  fields: SearchFields,
): SearchedNames | undefined {
  const folder = request.field(fields.path);
  const glob = fields.glob === undefined ? undefined : request.field(fields.glob);
  if (folder.state === "unknown" || glob?.state === "unknown") return undefined;
  const path = folder.state === "text" ? folder.text : ".";
  const read = pathReadings(path, request.reading);
  const globs = glob?.state === "text"
    ? pathReadings(glob.text, request.reading)
    : { texts: [], isCut: false };
  const names = [...new Set(globs.texts.flatMap(globNames))];
  const isTooMany = names.length * read.texts.length > MAX_NAMES;
  if (isTooMany || read.isCut || globs.isCut) return undefined;
  return { folder: path, folders: read.texts, names };
}

/** The files that a search glob names, one by one; none for what it excludes. A `*` stands for itself: it names no file. */
function globNames(glob: string): readonly string[] {
  const braced = withoutExtended(glob);
  const plain = [glob, ...(braced === glob ? [] : [braced])].flatMap(literalTexts);
  // Some tools take several globs, parted by commas or blanks.
  const parts = /[,\s]/.test(glob) ? glob.split(/[,\s]+/).flatMap(literalTexts) : [];
  return [...plain, ...parts]
    .filter((name) => name !== "" && !name.startsWith("!"))
    .map((name) => name.replace(/^\/*(\*\*\/)+/, ""));
}

/** A glob with its extended patterns, `@(a|b)`, in braces; `!(a)` is a wildcard. Braces need two options. */
function withoutExtended(glob: string): string {
  let text = glob;
  for (let depth = 0; depth < 8 && text.includes("("); depth++) {
    text = text.replace(/([@+?*!])\(([^()]*)\)/g, (_, mark: string, inner: string) => {
      const options = inner.replaceAll("|", ",");
      if (mark === "!") return "*";
      return mark === "?" || mark === "*" ? `{${options},}` : `{${options},${options}}`;
    });
  }
  return text;
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
