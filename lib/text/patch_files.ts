import { onDemand } from "../model/on_demand.ts";

/** The files of a patch in Codex's form (`*** Update File: x`). */
export interface PatchFiles {
  /** Every path that a program may read from its headers, each once; empty for a text that names none. */
  readonly paths: readonly string[];
  /** The first line that some program may read as a header, of no known form; absent if there is none. */
  readonly unread?: string;
}

/** The line breaks of the programs that read patches: `\n` of Rust and JavaScript, those of Python's `splitlines`. */
// deno-lint-ignore no-control-regex
const BREAKS = /[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/;

/** White space and invisible characters of any language, and marks that stand for no letter. */
const before = onDemand(() => /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*/u);

/** A header that names a file. */
const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to):(.*)$/is;

/** Another line that may name a file, or the machine that has it. */
const LIKE_HEADER = /\b(?:files?|move|rename|copy|path|environment)\b[^:]*:/i;

/** White space as Rust knows it (Unicode White_Space): U+0085, but not U+FEFF. */
const RUST_END = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

/**
 * The files that a patch writes. Every line that looks like a header counts, also one inside a hunk, in each way that
 * programs read it: trimmed as by Rust or JavaScript, with one blank behind the colon or with all, cut at a second colon.
 */
export function patchFiles(patch: string): PatchFiles {
  const paths = new Set<string>();
  let unread: string | undefined;
  for (const whole of patch.split("\n")) {
    const parts = BREAKS.test(whole) ? [whole, ...whole.split(BREAKS)] : [whole];
    for (const part of parts) {
      const line = part.replace(before(), "");
      if (!line.startsWith("***")) continue;
      const rest = HEADER.exec(line)?.[1];
      if (rest !== undefined) {
        for (const path of pathsIn(rest)) paths.add(path);
      } else if (LIKE_HEADER.test(line)) unread ??= line;
    }
  }
  return { paths: [...paths], ...(unread === undefined ? {} : { unread }) };
}

/** The paths that programs take from the text behind a header's colon. */
function pathsIn(rest: string): readonly string[] {
  const written = rest.replace(/^ /, "");
  const cut = /^\s*(?:[A-Za-z]:[\\/])?[^:]*/.exec(written)?.[0] ?? "";
  const all = [withoutEnd(written), written.trim(), cut.trim()];
  return [...new Set(all.flatMap((path) => [path, ...withoutBreaks(path)]))]
    .filter((path) => path !== "");
}

/** A path as Codex makes a URL of it, which drops tabs and line breaks; one that then begins with a slash stays relative. */
function withoutBreaks(path: string): readonly string[] {
  const joined = path.replace(/[\t\n\r]/g, "");
  return joined === path ? [] : [joined, joined.replace(/^\/+/, "")];
}

/** A text without the white space at its end that Rust knows. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && RUST_END.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
