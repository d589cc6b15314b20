import { type Glob, type GlobToken, literalGlob, printGlob } from "../../pattern/glob.ts";
import { patternOf, printPattern } from "../../pattern/print_pattern.ts";

const BASH: Glob = literalGlob("Bash");

/** The pattern for a command alone or with any arguments: `Bash(git push:*)`. */
export function bashPrefix(glob: Glob): string {
  return commandPattern("prefix", glob);
}

/** The pattern for a whole command. */
export function bashWhole(glob: Glob): string {
  return glob.length === 1 && glob[0]!.kind === "star" ? "Bash" : commandPattern("whole", glob);
}

function commandPattern(anchor: "whole" | "prefix" | "contains", glob: Glob): string {
  const test = { kind: "command", anchor, glob } as const;
  return printPattern(patternOf(BASH, { kind: "argument", test }));
}

/** The glob of a text with `*` and, with `one`, `?` as wildcards; nothing escapes them. */
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

/**
 * The glob up to the first character that is a wildcard in many formats, and `*` from there; undefined where there is none.
 * For formats that document only `*`.
 */
export function uncertainStart(text: string): Glob | undefined {
  const uncertain = /[?[\]{}\\].*/s;
  return uncertain.test(text) ? wildGlob(text.replace(uncertain, "*")) : undefined;
}

/** Joins neighbouring texts. */
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

/** The glob before a final ` *`; undefined where there is none, or nothing before it. */
export function beforeSpaceStar(glob: Glob): Glob | undefined {
  const last = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || last?.kind !== "text" || !last.text.endsWith(" ")) {
    return undefined;
  }
  const text = last.text.replace(/ +$/, "");
  if (text === "" && glob.length === 2) return undefined;
  return [...glob.slice(0, -2), ...literalGlob(text)];
}

/** The tools that change a file. In most agents one rule is for all of them. */
export const EDIT_TOOLS = ["Edit", "Write", "NotebookEdit"] as const;

/** The same with a tool of older versions. */
export const ALL_EDIT_TOOLS = [...EDIT_TOOLS, "MultiEdit"] as const;

/** The pattern for every call of the tool of exactly that name. */
export function toolPattern(name: string): string {
  return printGlob(literalGlob(name));
}

/** The patterns for one rule of another agent on files. In caliban a deny with a path on Edit holds for all tools that edit. */
export function filePatterns(
  kind: "read" | "edit",
  { path, action }: { readonly path: string | undefined; readonly action: string },
): readonly string[] {
  const edits = action === "allow" ? EDIT_TOOLS : path === undefined ? ALL_EDIT_TOOLS : ["Edit"];
  const tools = kind === "read" ? ["Read"] : edits;
  return tools.map((tool) => path === undefined ? tool : `${tool}:${path}`);
}

/** The text as a regular expression that matches only it. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * True if the tools of a server have names that are those of another's: two underscores end the name of a server, so tool `c` of
 * `a__b` is tool `b__c` of `a`, and tool `c` of `a_` is tool `_c` of `a`.
 */
export function sharesNames(server: string): boolean {
  return server.includes("__") || server.endsWith("_");
}

/** The loss of a rule for a tool of such a server. */
export const SHARED_NAME = "in caliban its tools have the names of another server's";
