import { foldCase } from "./fold_case.ts";
/** One piece of a string glob: literal text, `*` (any run) or `?` (one code point). */
export type GlobToken =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "anyChar" };

/** A string glob: no two neighbouring texts, no two neighbouring runs, no empty text. The empty glob fits the empty text. */
export type Glob = readonly GlobToken[];

/** Why a piece of pattern text cannot be read. */
export interface PatternError {
  /** The detail, without a final full stop: `missing ")"`. */
  readonly detail: string;
  /** Where in the pattern text, in UTF-16 code units from 0. */
  readonly at: number;
  /** What to write instead. */
  readonly hint?: string;
}

/** A parsed thing, or why there is none. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: PatternError };

/** A parse that worked. */
export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** A parse that failed; `at` counts UTF-16 code units from 0. */
export function failed<T>(at: number, detail: string, hint?: string): Parsed<T> {
  return { ok: false, error: hint === undefined ? { detail, at } : { detail, at, hint } };
}

/**
 * Reads a string glob: `*` is any run of characters (slash and newline included), `?` one code point, `\` takes the next
 * character literally, everything else is literal. Fails only on a lone backslash at the end.
 */
export function parseGlob(text: string): Parsed<Glob> {
  const tokens: GlobToken[] = [];
  let literal = "";
  const flush = () => {
    if (literal !== "") tokens.push({ kind: "text", text: literal });
    literal = "";
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      at++;
      if (at === text.length) {
        return failed(at - 1, "a lone backslash at the end", "write \\\\ for a backslash");
      }
      literal += text[at]!;
    } else if (char === "*") {
      flush();
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") {
      flush();
      tokens.push({ kind: "anyChar" });
    } else literal += char;
  }
  flush();
  return parsed(tokens);
}

/** The glob that fits exactly this text. */
export function literalGlob(text: string): Glob {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The canonical text of a glob; `parseGlob` reads it back as the same glob. */
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

/** The one text that a glob without wildcards fits; undefined when it has wildcards. */
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
