import { type Glob, type GlobToken, literalGlob } from "../../pattern/glob.ts";
import { patternOf, printPattern } from "../../pattern/print_pattern.ts";

const BASH: Glob = literalGlob("Bash");

/** The pattern for a command alone or with anything behind a space: `Bash(git push:*)`. */
export function bashPrefix(glob: Glob): string {
  return commandPattern("prefix", glob);
}

/** The pattern for exactly what the glob fits. */
export function bashWhole(glob: Glob): string {
  return glob.length === 1 && glob[0]!.kind === "star" ? "Bash" : commandPattern("whole", glob);
}

function commandPattern(anchor: "whole" | "prefix" | "contains", glob: Glob): string {
  const test = { kind: "command", anchor, glob } as const;
  return printPattern(patternOf(BASH, { kind: "argument", test }));
}

/** Text with `*` and, where the format has it, `?` as wildcards; nothing escapes them. */
export function wildGlob(text: string, options: { readonly one?: true } = {}): Glob {
  const tokens: GlobToken[] = [];
  for (const piece of text.split(options.one ? /([*?])/ : /(\*)/)) {
    if (piece === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (piece === "?" && options.one) tokens.push({ kind: "anyChar" });
    else if (piece !== "") tokens.push(...literalGlob(piece));
  }
  return joined(tokens);
}

/** Neighbouring texts made one. */
export function joined(tokens: readonly GlobToken[]): Glob {
  const glob: GlobToken[] = [];
  for (const token of tokens) {
    const last = glob.at(-1);
    if (token.kind === "text" && last?.kind === "text") {
      glob[glob.length - 1] = { kind: "text", text: last.text + token.text };
    } else glob.push(token);
  }
  return glob;
}

/** What stands before a final ` *`; undefined where there is none, or nothing before it. */
export function beforeSpaceStar(glob: Glob): Glob | undefined {
  const last = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || last?.kind !== "text" || !last.text.endsWith(" ")) {
    return undefined;
  }
  const text = last.text.replace(/ +$/, "");
  if (text === "" && glob.length === 2) return undefined;
  return [...glob.slice(0, -2), ...literalGlob(text)];
}
