import { type Glob, type GlobToken, literalGlob } from "../../pattern/glob.ts";
import { joined } from "./patterns.ts";

/** A regular expression as globs, as far as they can express it. */
export interface RegexGlobs {
  /** Globs that together match the same texts; absent where that is not possible. */
  readonly exact?: readonly Glob[];
  /** The literal text that every match begins with. */
  readonly head: string;
}

/** The limit of alternatives that are expanded. */
const MOST = 64;

interface Reader {
  readonly source: string;
  at: number;
}

/** Thrown for a part of an expression that no glob can express. */
class NotAGlob extends Error {}

/**
 * Reads an expression that is matched from the beginning of a text. Anything may follow a match, unless `$` ends it.
 */
export function globsOfRegex(source: string): RegexGlobs {
  const reader: Reader = { source, at: 0 };
  try {
    const globs = alternatives(reader, 0);
    if (reader.at < source.length) throw new NotAGlob();
    const closed = globs.map((tokens) =>
      tokens.at(-1) === END ? tokens.slice(0, -1) : [...tokens, { kind: "star" } as const]
    );
    if (closed.some((tokens) => tokens.includes(END))) throw new NotAGlob();
    return { exact: closed.map(simple), head: "" };
  } catch (error) {
    if (!(error instanceof NotAGlob)) throw error;
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
  if (depth > 8) throw new NotAGlob();
  const all: (readonly GlobToken[])[] = [...sequence(reader, depth)];
  while (reader.source[reader.at] === "|") {
    reader.at++;
    all.push(...sequence(reader, depth));
    if (all.length > MOST) throw new NotAGlob();
  }
  return all;
}

function sequence(reader: Reader, depth: number): readonly (readonly GlobToken[])[] {
  let globs: readonly (readonly GlobToken[])[] = [[]];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at]!)) {
    const piece = repeated(reader, atom(reader, depth));
    globs = globs.flatMap((start) => piece.map((end) => [...start, ...end]));
    if (globs.length > MOST) throw new NotAGlob();
  }
  return globs;
}

type Piece = readonly (readonly GlobToken[])[];

/** A piece with its quantifier. */
function repeated(reader: Reader, piece: Piece): Piece {
  const sign = reader.source[reader.at];
  if (sign === undefined || !"*+?{".includes(sign)) return piece;
  const isAny = piece.length === 1 && piece[0]!.length === 1 && piece[0]![0]!.kind === "anyChar";
  if (sign === "{") throw new NotAGlob();
  reader.at++;
  if (reader.source[reader.at] === "?") reader.at++;
  if (sign === "?") return [[], ...piece];
  if (!isAny) throw new NotAGlob();
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
        if (reader.source[reader.at + 1] !== ":") throw new NotAGlob();
        reader.at += 2;
      }
      const inner = alternatives(reader, depth + 1);
      if (reader.source[reader.at] !== ")") throw new NotAGlob();
      reader.at++;
      return inner;
    }
    case "\\": {
      const escaped = reader.source[reader.at] ?? "";
      // \s, \d, \b and the like match no single character of a glob.
      if (escaped === "" || /[A-Za-z0-9]/.test(escaped)) throw new NotAGlob();
      reader.at++;
      return [literalGlob(escaped)];
    }
    default:
      if ("[]{}*+?^)".includes(char)) throw new NotAGlob();
      return [literalGlob(char)];
  }
}

/** The literal characters at the beginning, up to the first that is a class or optional. */
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
