import type { Glob, GlobToken } from "./glob.ts";

/** What stands between two `*`: texts and `?`. */
type Chunk = readonly GlobToken[];

/**
 * Whether the whole text fits a string glob. Case-sensitive; `?` is one code point.
 *
 * The text between two `*` is looked for from the left, each once: a chunk that fits early leaves the most for the rest,
 * so nothing is ever tried twice. At most glob length × text length steps.
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
  const start = startOfTail(chunks.at(-1)!, text);
  return start >= at && matchAt(chunks.at(-1)!, { text, at: start }) === text.length;
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

/** Where the text goes on behind the chunk, or -1 when the chunk does not stand at the position. */
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

/** Where the text goes on behind the first place at or after the position where the chunk stands, or -1. */
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

/** Where a chunk must start so that it ends with the text; -1 when the text is too short. */
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
