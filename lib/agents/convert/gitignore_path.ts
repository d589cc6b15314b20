import type { PathGlob, PathNode } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";

/** A path in .gitignore form, in caliban's patterns. */
export type PathReading =
  /** Path patterns that together match the same. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** The same, but an allow would not match it exactly. */
  | { readonly kind: "unsure"; readonly paths: readonly string[]; readonly detail: string }
  | { readonly kind: "unreadable"; readonly detail: string };

/**
 * Reads `//x` (absolute), `~/x`, `/x` (from the project), `x/y` and `./x/y` (from the working folder, taken to be the project's)
 * and `x` (at any depth).
 */
export function readGitignorePath(text: string): PathReading {
  if (text.startsWith("!")) {
    return {
      kind: "unreadable",
      detail: "a path that begins with ! excludes files from another rule",
    };
  }
  const isFolder = text.endsWith("/") && !/^(~|\.|\/)?\/$/.test(text);
  // A slash only at the end does not anchor a name to the top folder.
  const path = isFolder ? `${basedPath(text.slice(0, -1))}/**` : basedPath(text);
  const escaped = path.replace(/[{}]/g, "\\$&");
  const last = escaped.split("/").at(-1) ?? "";
  if (/\[/.test(escaped)) {
    return { kind: "unsure", paths: [escaped], detail: "in caliban […] matches its own text too" };
  }
  if (last === "**") return { kind: "paths", paths: [escaped] };
  return { kind: "paths", paths: last.includes(".") ? [escaped] : [escaped, `${escaped}/**`] };
}

function basedPath(text: string): string {
  if (text.startsWith("//")) return `/${text.replace(/^\/+/, "")}`;
  if (text.startsWith("~/") || text === "~") return text;
  if (text.startsWith("/")) return `./${text.slice(1)}`;
  if (text.startsWith("./")) return text;
  if (/^[A-Za-z]:[\\/]/.test(text)) return text;
  return text.includes("/") ? `./${text}` : `./**/${text}`;
}

/** A path pattern as .gitignore rules. */
export interface GitignoreText {
  /** Texts of which one must match; empty where an allow cannot be expressed. */
  readonly texts: readonly string[];
  /** The detail of a loss that narrows the rule; absent where there is none. */
  readonly narrowed?: string;
  /** The detail of a loss that widens the rule; absent where there is none. */
  readonly widened?: string;
}

/** The limit of alternatives that are written out. */
const MOST_TEXTS = 64;

/** Writes a path pattern. The texts match at most what it does with `must` (an allow), at least that with `may`. */
export function writeGitignorePath(
  pattern: PathPattern,
  semantics: "must" | "may",
): GitignoreText {
  const globs = withoutBraces(pattern.glob);
  if (globs === undefined) return { texts: [], widened: "it has too many alternatives" };
  if (semantics === "must") return mustTexts(pattern, globs);
  const isInexact = globs.some((glob) => glob.some(({ kind }) => kind === "set")) ||
    globs.some((glob) => glob.some((node) => node.kind === "text" && SPECIAL.test(node.text)));
  const crosses = globs.some(crossesFolders);
  const bases = pattern.base === "plain" ? ["//**/"] : [BASES[pattern.base]];
  return {
    texts: globs.flatMap((glob) =>
      bases.map((base) =>
        base + gitignoreText(glob).replace(base.endsWith("**/") ? /^\*\*\// : /^$/, "")
      )
    ),
    ...(isInexact
      ? { narrowed: "a character that the format cannot express becomes ?, any one character" }
      : {}),
    ...(crosses ? { widened: "in the agent a * in a name does not cross folders" } : {}),
  };
}

const BASES = { root: "//", home: "~/", workspace: "/", plain: "/" } as const;
const SPECIAL = /[*?[\]\\!#\s]/;

function mustTexts(pattern: PathPattern, globs: readonly PathGlob[]): GitignoreText {
  const plain = pattern.base === "plain" && !pattern.glob.some((node) => hasSlash(node));
  const texts = globs.map((glob) => {
    const unsafe = glob.some((node) =>
      node.kind === "set" || node.kind === "text" && SPECIAL.test(node.text)
    );
    return unsafe || !endsInFile(glob)
      ? undefined
      : BASES[pattern.base] + (plain ? "**/" : "") + gitignoreText(glob);
  });
  if (texts.includes(undefined)) {
    return {
      texts: [],
      narrowed: "there it would also match everything below a folder of that name, or other names",
    };
  }
  return { texts: texts as readonly string[] };
}

/** True for everything below a folder, or a name with a dot, which is taken for a file's. */
function endsInFile(glob: PathGlob): boolean {
  const last = glob.at(-1);
  if (last?.kind === "globstar") return true;
  const text = glob.map((node) => node.kind === "text" ? node.text : "*").join("");
  return (text.split("/").at(-1) ?? "").includes(".");
}

function hasSlash(node: PathNode): boolean {
  if (node.kind === "text") return node.text.includes("/");
  return node.kind === "globstar" ||
    node.kind === "either" && node.options.some((each) => each.some(hasSlash));
}

/** True if a `*` is part of a name, and not the whole last one: as a deny it crosses folders in caliban. */
function crossesFolders(glob: PathGlob): boolean {
  return glob.some((node, index) => {
    if (node.kind !== "star") return false;
    const before = glob[index - 1];
    const whole = before === undefined || before.kind === "text" && before.text.endsWith("/");
    return !(whole && index === glob.length - 1);
  });
}

function gitignoreText(glob: PathGlob): string {
  return glob.map((node) => {
    switch (node.kind) {
      case "text":
        return node.text.replace(/[*?[\]\\!#\s]/g, "?");
      case "star":
        return "*";
      case "globstar":
        return "**";
      case "anyChar":
      case "set":
      case "either":
        return "?";
    }
  }).join("");
}

/** The globs without braces of which one must match; undefined when they are too many. */
export function withoutBraces(glob: PathGlob): readonly PathGlob[] | undefined {
  let globs: readonly PathGlob[] = [[]];
  for (const node of glob) {
    const options: readonly PathGlob[] = node.kind === "either"
      ? node.options.flatMap((option) => withoutBraces(option) ?? [])
      : [[node]];
    globs = globs.flatMap((start) => options.map((option) => [...start, ...option]));
    if (globs.length > MOST_TEXTS) return undefined;
  }
  return globs;
}
