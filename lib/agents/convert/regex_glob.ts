import { type Glob, type GlobToken, literalGlob } from "../../pattern/glob.ts";
import { joined } from "./bash_pattern.ts";

/** What a regular expression fits, as globs of which one must fit, as far as that can be said. */
export interface RegexGlobs {
  /** Globs that together fit the same texts; absent where that is not possible. */
  readonly exact?: readonly Glob[];
  /** The literal text that every fitting text has at the place where it begins. */
  readonly head: string;
}

/** More alternatives than this are not written out. */
const MOST = 64;

interface Reader {
  readonly source: string;
  at: number;
}

/** What a place in an expression stands for that no glob can say. */
class Unsaid extends Error {}

/**
 * Reads an expression that is matched from the beginning of a text on. `toEnd` says what ends it: `open` for one that anything
 * may follow, `$` alone closing it then.
 */
export function globsOfRegex(source: string): RegexGlobs {
  const reader: Reader = { source, at: 0 };
  try {
    const globs = alternatives(reader, 0);
    if (reader.at < source.length) throw new Unsaid();
    const closed = globs.map((tokens) =>
      tokens.at(-1) === END ? tokens.slice(0, -1) : [...tokens, { kind: "star" } as const]
    );
    if (closed.some((tokens) => tokens.includes(END))) throw new Unsaid();
    return { exact: closed.map(simple), head: "" };
  } catch (error) {
    if (!(error instanceof Unsaid)) throw error;
    return { head: literalStart(source) };
  }
}

/** The end of the text. */
const END: GlobToken = { kind: "text", text: "" };

function simple(tokens: readonly GlobToken[]): Glob {
  return joined(
    tokens.filter((token, index) => token.kind !== "star" || tokens[index - 1]?.kind !== "star"),
  );
}

function alternatives(reader: Reader, depth: number): readonly (readonly GlobToken[])[] {
  if (depth > 8) throw new Unsaid();
  const all: (readonly GlobToken[])[] = [...sequence(reader, depth)];
  while (reader.source[reader.at] === "|") {
    reader.at++;
    all.push(...sequence(reader, depth));
    if (all.length > MOST) throw new Unsaid();
  }
  return all;
}

function sequence(reader: Reader, depth: number): readonly (readonly GlobToken[])[] {
  let globs: readonly (readonly GlobToken[])[] = [[]];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at]!)) {
    const piece = repeated(reader, atom(reader, depth));
    globs = globs.flatMap((start) => piece.map((end) => [...start, ...end]));
    if (globs.length > MOST) throw new Unsaid();
  }
  return globs;
}

type Piece = readonly (readonly GlobToken[])[];

/** A piece with the quantifier behind it. */
function repeated(reader: Reader, piece: Piece): Piece {
  const sign = reader.source[reader.at];
  if (sign === undefined || !"*+?{".includes(sign)) return piece;
  const isAny = piece.length === 1 && piece[0]!.length === 1 && piece[0]![0]!.kind === "anyChar";
  if (sign === "{") throw new Unsaid();
  reader.at++;
  if (reader.source[reader.at] === "?") reader.at++;
  if (sign === "?") return [[], ...piece];
  if (!isAny) throw new Unsaid();
  return sign === "*" ? [[{ kind: "star" }]] : [[{ kind: "anyChar" }, { kind: "star" }]];
}

function atom(reader: Reader, depth: number): Piece {
  const char = reader.source[reader.at]!;
  reader.at++;
  switch (char) {
    case ".":
      return [[{ kind: "anyChar" }]];
    case "$":
      return [[END]];
    case "(": {
      if (reader.source[reader.at] === "?") {
        if (reader.source[reader.at + 1] !== ":") throw new Unsaid();
        reader.at += 2;
      }
      const inner = alternatives(reader, depth + 1);
      if (reader.source[reader.at] !== ")") throw new Unsaid();
      reader.at++;
      return inner;
    }
    case "\\": {
      const escaped = reader.source[reader.at] ?? "";
      // \s, \d, \b and the like are more, or less, than one character that a glob has.
      if (escaped === "" || /[A-Za-z0-9]/.test(escaped)) throw new Unsaid();
      reader.at++;
      return [literalGlob(escaped)];
    }
    default:
      if ("[]{}*+?^)".includes(char)) throw new Unsaid();
      return [literalGlob(char)];
  }
}

/** The literal characters at the beginning, up to the first that is more than one, or may be left out. */
function literalStart(source: string): string {
  const top = /(?:\\.|[^\\])*?\|/.test(source.replace(/\([^)]*\)/g, ""));
  if (top) return "";
  let text = "";
  for (let at = 0; at < source.length; at++) {
    const escaped = source[at] === "\\";
    const char = source[escaped ? ++at : at] ?? "";
    if (escaped ? char === "" || /[A-Za-z0-9]/.test(char) : /[.[\](){}*+?^$|]/.test(char)) break;
    if (/[*?{]/.test(source[at + 1] ?? "")) break;
    text += char;
  }
  return text;
}
