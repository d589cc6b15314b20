import { foldCase } from "./unicode.ts";

/** One token of a string glob: literal text, `*` (any text) or `?` (one code point). */
export type GlobToken =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "anyChar" };

/** A string glob: no adjacent texts, no adjacent stars, no empty text. The empty glob matches the empty text. */
export type Glob = readonly GlobToken[];

/** A syntax error in a pattern. */
export interface PatternError {
  /** The detail, without a final full stop: `missing ")"`. */
  readonly detail: string;
  /** The offset in the pattern text, in UTF-16 code units from 0. */
  readonly at: number;
  /** A correction. */
  readonly hint?: string;
}

/** The result of a parser. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: PatternError };

/** A successful parse. */
export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** A failed parse; `at` counts UTF-16 code units from 0. */
export function failed<T>(at: number, detail: string, hint?: string): Parsed<T> {
  return { ok: false, error: hint === undefined ? { detail, at } : { detail, at, hint } };
}

/**
 * Parses a string glob: `*` is any text (slashes and newlines included), `?` one code point, `\` makes the next character
 * literal, everything else is literal. Fails only on a lone backslash at the end.
 */
export function parseGlob(text: string): Parsed<Glob> {
  const tokens: GlobToken[] = [];
  // The literal text so far is `literal` and the slice from `from` on: a slice costs less than a string for each character.
  let literal = "";
  let from = 0;
  const flush = (to: number) => {
    literal += text.slice(from, to);
    if (literal !== "") tokens.push({ kind: "text", text: literal });
    literal = "";
    from = to + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      if (at + 1 === text.length) {
        return failed(at, "a lone backslash at the end", "write \\\\ for a backslash");
      }
      literal += text.slice(from, at);
      from = ++at;
    } else if (char === "*") {
      flush(at);
      if (tokens[tokens.length - 1]?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") {
      flush(at);
      tokens.push({ kind: "anyChar" });
    }
  }
  flush(text.length);
  return parsed(tokens);
}

/** The glob that matches exactly this text. */
export function literalGlob(text: string): Glob {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The canonical text of a glob; `parseGlob` turns it into the same glob. */
export function printGlob(glob: Glob): string {
  return glob.map(printToken).join("");
}

function printToken(token: GlobToken): string {
  switch (token.kind) {
    case "text":
      return token.text.replace(/[\\*?]/g, "\\$&");
    case "star":
      return "*";
    case "anyChar":
      return "?";
  }
}

/** The text before the first wildcard. */
export function literalHead(glob: Glob): string {
  const first = glob[0];
  return first?.kind === "text" ? first.text : "";
}

/** The only text that a glob without wildcards matches; undefined for one with wildcards. */
export function onlyText(glob: Glob): string | undefined {
  if (glob.length === 0) return "";
  return glob.length === 1 && glob[0]!.kind === "text" ? glob[0]!.text : undefined;
}

/** The same glob with its literal text in lower case. */
export function foldGlob(glob: Glob): Glob {
  return glob.map((token) =>
    token.kind === "text" ? { kind: "text", text: foldCase(token.text) } : token
  );
}

/** The texts and `?` between two `*`. */
type Chunk = readonly GlobToken[];

/**
 * True if a string glob matches the whole text. Case-sensitive; `?` is one code point.
 *
 * Searches each chunk between two `*` once, from the left: an early match leaves the most text for the rest, so it never
 * backtracks. At most glob length × text length steps.
 *
 * @example
 * ```ts
 * import { matchGlob, parseGlob } from "@caliban/perms/core";
 * const glob = parseGlob("git push *");
 * if (glob.ok) console.log(matchGlob(glob.value, "git push origin")); // true
 * ```
 */
export function matchGlob(glob: Glob, text: string): boolean {
  const start = glob[0];
  if (start?.kind === "text") {
    if (!text.startsWith(start.text)) return false;
    if (glob.length === 1) return text.length === start.text.length;
    if (glob.length === 2 && glob[1]!.kind === "star") return true;
  }
  return matchChunks(chunksOf(glob), text);
}

function matchChunks(chunks: readonly Chunk[], text: string): boolean {
  const first = chunks[0]!;
  let at = matchAt(first, { text, at: 0 });
  if (at < 0) return false;
  if (chunks.length === 1) return at === text.length;
  for (let index = 1; index < chunks.length - 1; index++) {
    at = searchFrom(chunks[index]!, { text, at });
    if (at < 0) return false;
  }
  const last = chunks[chunks.length - 1]!;
  const start = startOfTail(last, text);
  return start >= at && matchAt(last, { text, at: start }) === text.length;
}

const chunkCache = new WeakMap<Glob, readonly Chunk[]>();

function chunksOf(glob: Glob): readonly Chunk[] {
  const known = chunkCache.get(glob);
  if (known) return known;
  const chunks: GlobToken[][] = [[]];
  for (const token of glob) {
    if (token.kind === "star") chunks.push([]);
    else chunks.at(-1)!.push(token);
  }
  chunkCache.set(glob, chunks);
  return chunks;
}

interface Position {
  readonly text: string;
  readonly at: number;
}

/** The offset behind the chunk at this position; -1 if the chunk does not match there. */
function matchAt(chunk: Chunk, { text, at }: Position): number {
  for (const token of chunk) {
    if (token.kind === "text") {
      if (!text.startsWith(token.text, at)) return -1;
      at += token.text.length;
    } else {
      if (at >= text.length) return -1;
      at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    }
  }
  return at;
}

/** The offset behind the first match of the chunk at or after this position; -1 if there is none. */
function searchFrom(chunk: Chunk, { text, at }: Position): number {
  const first = chunk[0];
  if (!first) return at;
  if (first.kind === "text") {
    for (
      let start = text.indexOf(first.text, at);
      start >= 0;
      start = text.indexOf(first.text, start + 1)
    ) {
      const end = matchAt(chunk, { text, at: start });
      if (end >= 0) return end;
    }
    return -1;
  }
  for (let start = at; start <= text.length; start += text.codePointAt(start)! > 0xffff ? 2 : 1) {
    const end = matchAt(chunk, { text, at: start });
    if (end >= 0) return end;
    if (start === text.length) return -1;
  }
  return -1;
}

/** The start of a chunk that ends with the text; -1 if the text is too short. */
function startOfTail(chunk: Chunk, text: string): number {
  let at = text.length;
  for (let index = chunk.length - 1; index >= 0; index--) {
    const token = chunk[index]!;
    if (token.kind === "text") at -= token.text.length;
    else at -= at >= 2 && text.codePointAt(at - 2)! > 0xffff ? 2 : 1;
    if (at < 0) return -1;
  }
  return at;
}

/** True if some text matches both globs. Exact, in at most as many steps as the product of their lengths. */
export function globsOverlap(a: Glob, b: Glob): boolean {
  const [left, right] = [cells(a), cells(b)];
  let positions = new Set<number>([0]);
  // The possible positions in `right` for the current position in `left`.
  for (let at = 0; at <= left.length; at++) {
    positions = withSkips(positions, { right, inStar: left[at] === STAR });
    if (at === left.length) return positions.has(right.length);
    const cell = left[at]!;
    const next = new Set<number>();
    for (const position of positions) {
      if (cell === STAR || right[position] === STAR) next.add(position);
      else if (position < right.length && shareChar(cell, right[position]!)) next.add(position + 1);
    }
    positions = next;
  }
  return false;
}

/** One code point behind "=", or a wildcard. */
type Cell = string;
const STAR: Cell = "*";
const ANY_CHAR: Cell = "?";

function cells(glob: Glob): readonly Cell[] {
  return glob.flatMap((token: GlobToken): readonly Cell[] => {
    if (token.kind === "text") return [...token.text].map((char) => `=${char}`);
    return [token.kind === "star" ? STAR : ANY_CHAR];
  });
}

function shareChar(a: Cell, b: Cell): boolean {
  return a === ANY_CHAR || b === ANY_CHAR || a === b;
}

/** Adds the positions behind a star of the right, and all later ones while the left is at a star. */
function withSkips(
  positions: ReadonlySet<number>,
  { right, inStar }: { right: readonly Cell[]; inStar: boolean },
): Set<number> {
  const all = new Set(positions);
  for (let position = 0; position < right.length; position++) {
    if (all.has(position) && (inStar || right[position] === STAR)) all.add(position + 1);
  }
  return all;
}
