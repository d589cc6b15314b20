import { runNfa } from "../run_nfa.ts";
import { foldCase } from "../unicode.ts";
import { type Nfa, NfaBuilder, type NfaStep } from "./path_nfa.ts";

/** The most globs of a line whose names are looked up. */
export const MAX_GLOBS = 8;

/** In a shell glob: any number of folders with their slashes, or none, hidden ones too, as `find` enters them. */
export const DEEP = "\uF8FA";

/** In a shell glob: any text within one name, which may begin with a dot, as `*` of `find -name`. */
export const ANY_NAME = "\uF8FB";

/** In a shell glob: one character of a name, which may be a dot at its start. */
export const ANY_CHAR = "\uF8FC";

/** The code of the first of these marks. */
const FIRST_MARK = 0xf8fa;

/** A glob for people: `**` and `*` stand for those that match hidden names too. */
export function shownGlob(glob: string): string {
  let at = 0;
  while (at < glob.length && glob.charCodeAt(at) < FIRST_MARK) at++;
  if (at === glob.length) return glob;
  return glob.replaceAll(DEEP, "**/").replaceAll(ANY_NAME, "*").replaceAll(ANY_CHAR, "?");
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** The kind of the entry itself: a link is not followed. */
  readonly kind: "folder" | "link" | "other";
}

/** The entries of a folder; null if it is not there or cannot be read. */
export type ListFolder = (path: string) => readonly FolderEntry[] | null;

const INNER: NfaStep = { kind: "inner" };
const DOT: readonly [number, number] = [0x2e, 0x2e];
const NO_DOT: NfaStep = { kind: "set", negated: true, ranges: [DOT] };

/**
 * Adds the paths that a file name glob of bash, zsh or dash may name. `*` and `?` match no slash and no dot at the start of a
 * name; `**` as a whole name also any number of folders that are not hidden (zsh, and bash with globstar). A backslash makes
 * the next character literal; brackets are `*` already.
 */
export function addShellGlob(builder: NfaBuilder, glob: string): void {
  for (const [index, name] of namesOf(glob).entries()) {
    if (index > 0 && name.slash) builder.text("/");
    addName(builder, name);
  }
}

interface Name {
  readonly text: string;
  /** True if a slash stands before it. */
  readonly slash: boolean;
  /** True if it is the last one. */
  readonly isLast: boolean;
}

/** The names of a glob between slashes; behind any number of folders, no slash follows. */
function namesOf(glob: string): readonly Name[] {
  const texts = glob.replaceAll(DEEP, `${DEEP}/`).split("/");
  return texts.map((text, index) => ({
    text,
    slash: index > 0 && !isDeep(texts[index - 1]!) && !isFolders(texts[index - 1]!),
    isLast: index === texts.length - 1,
  }));
}

function isDeep(name: string): boolean {
  return name === DEEP;
}

function isFolders(name: string): boolean {
  return /^\*{2,}$/.test(name);
}

function addName(builder: NfaBuilder, { text, isLast }: Name): void {
  if (isDeep(text)) {
    return builder.maybe(() => {
      builder.repeat(() => builder.take({ kind: "any" }));
      builder.text("/");
    });
  }
  if (isFolders(text)) {
    const folder = () => {
      builder.take(NO_DOT);
      builder.repeat(() => builder.take(INNER));
    };
    if (!isLast) {
      return builder.repeat(() => {
        folder();
        builder.text("/");
      });
    }
    folder();
    return builder.repeat(() => {
      builder.text("/");
      folder();
    });
  }
  addCharacters(builder, text);
}

function addCharacters(builder: NfaBuilder, text: string): void {
  const chars = [...text];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const first = at === 0 ? NO_DOT : INNER;
    if (char === "\\" && at + 1 < chars.length) builder.text(chars[++at]!);
    else if (char === "?") builder.take(first);
    else if (char === ANY_CHAR) builder.take(INNER);
    else if (char === ANY_NAME) builder.repeat(() => builder.take(INNER));
    else if (char === "*") {
      builder.maybe(() => {
        builder.take(first);
        builder.repeat(() => builder.take(INNER));
      });
    } else builder.text(char);
  }
}

/** True if a name of a glob may be `.` or `..`, which leads out of its folder. */
export function mayGoUp(glob: string): boolean {
  return namesOf(glob).some(({ text }) => {
    if (!text.startsWith(".")) return false;
    const nfa = nameNfa(text);
    return runNfa(nfa, ".") || runNfa(nfa, "..");
  });
}

/** The automaton of a glob below a folder, over absolute paths without their first slash. */
export function shellGlobNfa(folder: string, glob: string, fold: boolean): Nfa {
  const builder = new NfaBuilder();
  const root = folder.replace(/^\/|\/$/g, "");
  if (root !== "") builder.text(`${fold ? foldCase(root) : root}/`);
  addShellGlob(builder, fold ? foldCase(glob) : glob);
  return builder.finish();
}

/** A glob divided behind the last slash before its first wildcard. */
export function splitGlob(glob: string): { readonly head: string; readonly rest: string } {
  const wild = /(?<!\\)(?:\\\\)*[*?\uF8FA-\uF8FC]/.exec(glob);
  const end = glob.lastIndexOf("/", wild ? wild.index : glob.length);
  const head = end < 0 ? "" : end === 0 ? "/" : glob.slice(0, end);
  return { head: head.replace(/\\(.)/gs, "$1"), rest: glob.slice(end + 1) };
}

/** The most names that a glob is expanded to, and the most entries that are looked at. */
const MAX_NAMES = 1_000;
const MAX_ENTRIES = 5_000;

/**
 * The paths that a glob below a folder names at this moment; undefined if they are too many or a folder cannot be read. Links
 * among the folders are followed where a shell follows them, and not by any number of folders.
 */
export function expandShellGlob(
  folder: string,
  glob: string,
  listFolder: ListFolder,
): readonly string[] | undefined {
  const names = namesOf(glob);
  if (names.length > MAX_DEPTH || mayGoUp(glob)) return undefined;
  const found: string[] = [];
  let looked = 0;
  const list = (path: string): readonly FolderEntry[] => {
    const entries = listFolder(path);
    if (entries === null) throw new Unread();
    looked += entries.length + 1;
    if (looked > MAX_ENTRIES) throw new Unread();
    return entries;
  };
  const join = (path: string, name: string) => path.endsWith("/") ? path + name : `${path}/${name}`;
  const visit = (path: string, index: number): void => {
    const name = names[index];
    if (name === undefined) {
      found.push(path);
      if (found.length > MAX_NAMES) throw new Unread();
      return;
    }
    if (isDeep(name.text) || isFolders(name.text)) {
      const hidden = isDeep(name.text);
      if (!name.isLast) visit(path, index + 1);
      return deeper(path, { index, hidden, depth: 0, isLast: name.isLast });
    }
    const nfa = nameNfa(name.text);
    for (const { name: entry, kind } of list(path)) {
      if (!runNfa(nfa, entry) || !name.isLast && kind === "other") continue;
      // A folder that cannot be listed ends the expansion, but a link may lead to a file.
      if (!name.isLast && kind === "link" && listFolder(join(path, entry)) === null) continue;
      visit(join(path, entry), index + 1);
    }
  };
  const deeper = (
    path: string,
    at: { index: number; hidden: boolean; depth: number; isLast: boolean },
  ): void => {
    if (at.depth > MAX_DEPTH) throw new Unread();
    for (const { name, kind } of list(path)) {
      if (!at.hidden && name.startsWith(".")) continue;
      const inner = join(path, name);
      if (at.isLast) visit(inner, at.index + 1);
      // Without globstar, "**" is "*", which follows a link.
      const follows = kind === "link" && !at.hidden && at.depth === 0 && listFolder(inner) !== null;
      if (kind !== "folder" && !follows) continue;
      if (!at.isLast) visit(inner, at.index + 1);
      deeper(inner, { ...at, depth: at.depth + 1 });
    }
  };
  try {
    visit(folder, 0);
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
  return found;
}

/** True if a path certainly leads to nothing: the nearest folder above that can be listed has no such name, however that is written. */
export function isMissing(path: string, listFolder: ListFolder): boolean {
  const fold = (name: string) => foldCase(name.normalize("NFC"));
  const names = path.split("/").filter((each) => each !== "");
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const entries = listFolder(`/${names.join("/")}`);
    if (entries === null) continue;
    const own = fold(name);
    return !entries.some((entry) => fold(entry.name) === own);
  }
  return false;
}

/** The deepest folders that are looked into. */
const MAX_DEPTH = 64;

/**
 * The names are too many, or cannot be read. No error is made when a module is loaded: for its stack trace V8 parses the whole
 * file once more.
 */
class Unread extends Error {}

function nameNfa(text: string): Nfa {
  const builder = new NfaBuilder();
  addCharacters(builder, text);
  return builder.finish();
}

/** True for a path that shells and xargs take for one word, no part of which is an option. */
export function isPlainPath(path: string): boolean {
  return /^(?!-)(?:[\p{L}\p{N}_@%+=:,./-])+$/u.test(path) && !path.includes("/-");
}
