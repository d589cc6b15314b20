import { ANY_CHAR, ANY_NAME, DEEP } from "../../pattern/path/shell_glob.ts";
import { HOLE, isFixed, NAME, type Word } from "../parse/tree.ts";
import type { Level } from "./program_use.ts";

/** A file that a program finds by a pattern of its own. */
export interface NamedFile {
  readonly value: Word;
  /** True if the path begins at the root of the repository. */
  readonly fromRoot?: true;
  /** Set for the pattern of a program: what it names is not what it names to a shell. */
  readonly isPattern?: true;
}

/** A revision alone, which names no file. */
const REVISION = /^(?:HEAD|@)(?:[~^@].*)?$/;

/** The name of an object, which git itself prints. */
const HASH = /^"?\$\(git (?:rev-parse|merge-base|hash-object|commit-tree|write-tree) [^():]*\)"?$/;

/**
 * The files that a word may name to git: the path of `HEAD:x`, `:x`, `:0:x`, `stash@{0}:x` and `1,5:x`, a pathspec as
 * `:(top)x` or `:/x`, a glob even where it is quoted, or the word itself. None for what is left out (`:!x`). Source:
 * gitrevisions(7), gitglossary(7) pathspec.
 */
export function gitFiles(word: Word): readonly NamedFile[] {
  const { shape, raw } = word;
  if (shape === NAME && HASH.test(raw)) return [];
  const magic = /^:(?:\(([^)]*)\)|[/!^]+:?)/.exec(shape);
  if (magic) return magicFiles(word, { magic: magic[0], path: shape.slice(magic[0].length) });
  if (shape === ":") return [{ value: { ...word, text: ".", shape: "." } }];
  if (!shape.includes(":")) return REVISION.test(shape) ? [] : pathFiles(word, shape);
  const names: NamedFile[] = shape.startsWith(":") ? [] : [{ value: word }];
  for (let at = shape.indexOf(":"), count = 0; at >= 0; count++) {
    if (count === MOST_COLONS) return [{ value: openWord(word) }];
    const rest = shape.slice(at + 1);
    if (rest !== "") {
      names.push(...pathFiles(word, rest).map((each) => ({ ...each, fromRoot: true as const })));
    }
    at = shape.indexOf(":", at + 1);
  }
  return names;
}

/** The files of a pathspec with magic words: those of `attr` and of unknown words may be any. */
function magicFiles(
  word: Word,
  { magic, path }: { magic: string; path: string },
): readonly NamedFile[] {
  const names = magic.startsWith(":(") ? magic.slice(2, -1).split(",") : [];
  if (/^:\/*[!^]/.test(magic) || names.includes("exclude")) return [];
  const isOpen = names.some((name) => !/^(?:top|literal|glob|icase|)$/.test(name));
  const named = isOpen
    ? [{ value: openWord(word) }]
    : names.includes("icase")
    ? [foldedFile(word, path)]
    : pathFiles(word, path);
  const fromRoot = /^:\//.test(magic) || names.includes("top");
  return fromRoot ? named.map((each) => ({ ...each, fromRoot: true })) : named;
}

/** The files whose names differ from a path in case only, and some others: any character stands for each letter. */
function foldedFile(word: Word, path: string): NamedFile {
  if (!isFixed(path) || WILD.test(path) || word.glob !== undefined) {
    return { value: openWord(word) };
  }
  const glob = [...path].map((each) =>
    /[A-Za-z]|[^\0-\x7F]/.test(each) ? ANY_CHAR : escapedGlob(each)
  ).join("");
  return patternFile(word, glob);
}

/** A word that may be any file. */
export function openWord(word: Word): Word {
  const { choices: _, oneOf: _1, variable: _2, glob: _3, ...rest } = word;
  return { ...rest, shape: HOLE };
}

/** The most colons of a word behind which a path is looked for; a word with more may be any file. */
const MOST_COLONS = 8;

const WILD = /[*?[]/;

/** A path, or the names that a glob of git stands for, however it is quoted. */
function pathFiles(word: Word, path: string): readonly NamedFile[] {
  const isGlob = word.glob === undefined ? WILD.test(path) && isFixed(path) : true;
  if (!isGlob) return [{ value: { ...word, text: path, shape: path } }];
  const text = word.glob === undefined ? path : word.text.slice(word.text.length - path.length);
  return gitGlobs(text).map((glob) => patternFile(word, glob));
}

/** A pathspec as globs of a shell: its wildcards match slashes and leading dots. */
function gitGlobs(pathspec: string): readonly string[] {
  const start = pathspec.lastIndexOf("/") + 1;
  const head = pathspec.slice(0, start);
  if (SOURCES.test(pathspec.slice(start)) && !WILD.test(head)) {
    return [`${escapedGlob(head)}**/${pathspec.slice(start)}`];
  }
  const first = pathspec.search(WILD);
  const last = Math.max(...["*", "?", "]", "["].map((each) => pathspec.lastIndexOf(each)));
  const before = escapedGlob(pathspec.slice(0, first));
  const after = escapedGlob(pathspec.slice(last + 1));
  const across = `${before.endsWith("/") || before === "" ? "" : `${ANY_NAME}/`}${DEEP}`;
  return [`${before}${ANY_NAME}${after}`, `${before}${across}${ANY_NAME}${after}`];
}

/** The files that a glob given to a search tool names, in its folder and below: `rg -g`, `grep --include`. */
export function searchedFiles(word: Word): readonly NamedFile[] {
  const shape = patternIn(word);
  if (shape.startsWith("!")) return [];
  if (!isFixed(shape)) return [{ value: word }];
  return alternatives(shape).flatMap((glob) => searchGlobs(word, glob)).map((value) => ({
    value,
    isPattern: true,
  }));
}

/** The text of a glob that a program is given. A shell that finds no file of that name hands over the text: `--include=*.ts`. */
function patternIn({ shape, raw }: Word): string {
  const isText = isFixed(shape) || !PLAIN.test(raw);
  return isText ? shape : raw.replace(/^(?:--?\w[\w-]*=|-[A-Za-z])/, "");
}

/** Options that name files which a search leaves out, by which it may take in what no other names. */
const EXCLUDES = /^--exclude(?:-from)?$/;

/** A glob whose end, behind its last wildcard or slash, is the end of each name that it matches. */
const ENDED = /^[\w@+,.*?/-]*?(\{[\w.,-]+\})?([\w.-]*)$/;

/**
 * The names that a search is bound to by globs: the ends of them, or none if these cannot be told. A search so bound reads hidden
 * files that they match.
 */
export function searchBounds(
  { args: { options } }: Pick<Level, "args">,
): { readonly isBound: boolean; readonly endings?: readonly string[] } {
  const globs = options.filter(({ option, value }) =>
    option.lists.includes("globs") && !value?.startsWith("!")
  );
  if (globs.length === 0) return { isBound: false };
  const found = globs.map(({ option: { name }, value = "", word }) =>
    name === "--iglob" ? undefined : endingsOf(patternIn({ ...word, shape: value }))
  );
  const areKnown = found.every((each) => each !== undefined) &&
    !options.some(({ option: { name } }) => EXCLUDES.test(name));
  return areKnown ? { isBound: true, endings: [...new Set(found.flat())] } : { isBound: true };
}

/** The ends of the names that a glob matches, its braces taken as such and literally; undefined if they may be any. */
function endingsOf(glob: string): readonly string[] | undefined {
  const [, braces, tail = ""] = ENDED.exec(glob) ?? [];
  if (braces === undefined) return tail === "" ? undefined : [tail];
  const names = braces.slice(1, -1).split(",");
  const ends = [...names, braces].map((each) => each + tail);
  return ends.includes("") || names.length > MOST_NAMES ? undefined : ends;
}

/** One glob of a search: a name at any depth, or a path from the folder of the search. */
function searchGlobs(word: Word, glob: string): readonly Word[] {
  const path = glob.replace(/^\//, "");
  if (!WILD.test(path)) {
    const fixed = { ...word, text: path, shape: path };
    return glob.includes("/") ? [fixed] : [fixed, globWord(word, `${DEEP}${escapedGlob(path)}`)];
  }
  if (!glob.includes("/")) {
    return [globWord(word, SOURCES.test(path) ? `**/${path}` : `${DEEP}${nameGlob(path)}`)];
  }
  const names = path.split("/");
  const isSource = SOURCES.test(names.at(-1)!);
  const last = names.length - 1;
  const parts = names.map((name, at) =>
    /^\*{2,}$/.test(name)
      ? at === last ? `${DEEP}${ANY_NAME}` : isSource ? "**/" : DEEP
      : `${at === last && isSource ? name : nameGlob(name)}${at === last ? "" : "/"}`
  );
  return [globWord(word, parts.join(""))];
}

/** A name of a glob whose wildcards match a leading dot. */
function nameGlob(name: string): string {
  return name.split(/(\[[^\]]*\]|[*?])/).map((part) =>
    part === "*" ? ANY_NAME : part === "?" || /^\[.*\]$/s.test(part) ? ANY_CHAR : escapedGlob(part)
  ).join("");
}

function escapedGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** A word whose unknown pieces are wildcards and braces. */
const PLAIN = /^[\w=*?.{},/![\]^-]+$/;

/** A glob for each alternative of its first braces; further braces, and many alternatives, are wildcards. */
function alternatives(glob: string): readonly string[] {
  const [whole, head, list = "", tail] = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(glob) ?? [];
  const names = list.split(",");
  const parts = whole === undefined || names.length > MOST_NAMES
    ? [glob]
    : names.map((part) => head + part + tail);
  return parts.map((part) => part.replace(/\{[^{}]*\}/g, "*"));
}

/** The most alternatives that are told apart. */
const MOST_NAMES = 32;

/** Every hidden file, and every file of a hidden folder, for a search that does not leave them out. */
export function hiddenFiles(word: Word): readonly NamedFile[] {
  return [`${DEEP}.${ANY_NAME}`, `${DEEP}.${ANY_NAME}/${DEEP}${ANY_NAME}`]
    .map((glob) => patternFile(word, glob));
}

/**
 * A pattern of files of source code or text. It does not mean hidden ones: as a search of a whole folder, it counts as
 * itself.
 */
const SOURCES = new RegExp(
  "^\\*+\\.(?:[cm]?[jt]sx?|mdx?|rs|go|pyi?|rb|java|kts?|[ch](?:c|h|pp|xx)?|cs|php|swift|scala|sh|s?css|less|html?|vue|svelte|" +
    "jsonc?|ya?ml|toml|xml|sql|txt|lock|proto|graphql|tf|exs?|erl|hs|lua|dart|zig|nix|gradle|snap|svg|csv)$",
);

function patternFile(word: Word, glob: string): NamedFile {
  return { value: globWord(word, glob), isPattern: true };
}

/** A word for a glob. One of any folder begins in that of the command: as a written text it would match any path. */
function globWord(word: Word, text: string): Word {
  const glob = text.startsWith(DEEP) ? `./${text}` : text;
  const { choices: _, oneOf: _1, variable: _2, ...rest } = word;
  return { ...rest, text: glob, shape: HOLE, splits: false, glob };
}

/**
 * The files whose text a value stands for: `@file`, `name@file`, `name=@file`, `name=<file`; behind a file may stand `;type=x`
 * or further files. None for a URL, or for text that only holds such a character: `mail=a@b`.
 */
export function sentFiles(word: Word): readonly Word[] {
  const { shape } = word;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(shape)) return [];
  // A backslash takes the meaning of the separator behind it.
  const path = /^(?:\\.|[^=@<:\\])*(?:=|:=|==|:)?[@<](.+)$/s.exec(shape)?.[1];
  if (path === undefined) return [];
  const parts = path.split(/[,;]/).map((part) => part.replace(/^headers=[@<]/, ""));
  const names = [path, ...parts].filter((name) => name !== "" && !/^\w+=/.test(name));
  return [...new Set(names)].map((name) => ({ ...word, text: name, shape: name }));
}
