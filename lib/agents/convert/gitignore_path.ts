import type { PathGlob, PathNode } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";

/** A path as agents with .gitignore rules write it, in caliban's words. */
export type PathReading =
  /** One or more path patterns that together say the same. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** The same, but the last segment may name a folder, below which an allow does not reach here. */
  | { readonly kind: "unsure"; readonly paths: readonly string[]; readonly detail: string }
  | { readonly kind: "unreadable"; readonly detail: string };

/**
 * Reads `//x` (absolute), `~/x`, `/x` (from the project), `x/y` and `./x/y` (from the working folder, taken to be the project's)
 * and `x` (at any depth).
 */
export function readGitignorePath(text: string): PathReading {
  if (text.startsWith("!")) {
    return { kind: "unreadable", detail: "a path that begins with ! takes back another" };
  }
  const isFolder = text.endsWith("/") && !/^(~|\.|\/)?\/$/.test(text);
  // A slash at the end alone does not tie a name to the top.
  const path = isFolder ? `${basedPath(text.slice(0, -1))}/**` : basedPath(text);
  const escaped = path.replace(/[{}]/g, "\\$&");
  const last = escaped.split("/").at(-1) ?? "";
  if (/\[/.test(escaped)) {
    return { kind: "unsure", paths: [escaped], detail: "[…] fits its own text too here" };
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

/** How a path pattern is written as .gitignore rules. */
export interface GitignoreText {
  /** Texts of which one must fit; empty where an allow cannot be written. */
  readonly texts: readonly string[];
  /** What the texts fit besides, or do not; absent where they say the same. */
  readonly narrowed?: string;
  /** What a deny or ask loses. */
  readonly widened?: string;
}

/** With more alternatives than this a pattern is not written out. */
const MOST_TEXTS = 64;

/** Writes a path pattern; `reach` says whether too much or too little is the safe side: `strict` for an allow. */
export function writeGitignorePath(
  pattern: PathPattern,
  reach: "strict" | "wide",
): GitignoreText {
  const globs = withoutBraces(pattern.glob);
  if (globs === undefined) return { texts: [], widened: "it has too many alternatives" };
  if (reach === "strict") return strictTexts(pattern, globs);
  const odd = globs.some((glob) => glob.some(({ kind }) => kind === "set")) ||
    globs.some((glob) => glob.some((node) => node.kind === "text" && SPECIAL.test(node.text)));
  const crossing = globs.some(crossesInside);
  const bases = pattern.base === "plain" ? ["//**/"] : [BASES[pattern.base]];
  return {
    texts: globs.flatMap((glob) =>
      bases.map((base) =>
        base + wideText(glob).replace(base.endsWith("**/") ? /^\*\*\// : /^$/, "")
      )
    ),
    ...(odd ? { narrowed: "a character that cannot be written there is any one character" } : {}),
    ...(crossing ? { widened: "a * inside a name stays within that name there" } : {}),
  };
}

const BASES = { root: "//", home: "~/", workspace: "/", plain: "/" } as const;
const SPECIAL = /[*?[\]\\!#\s]/;

function strictTexts(pattern: PathPattern, globs: readonly PathGlob[]): GitignoreText {
  const plain = pattern.base === "plain" && !pattern.glob.some((node) => hasSlash(node));
  const texts = globs.map((glob) => {
    const unsafe = glob.some((node) =>
      node.kind === "set" || node.kind === "text" && SPECIAL.test(node.text)
    );
    return unsafe || !endsInFile(glob)
      ? undefined
      : BASES[pattern.base] + (plain ? "**/" : "") + wideText(glob);
  });
  if (texts.includes(undefined)) {
    return {
      texts: [],
      narrowed: "there it would also fit everything below a folder of that name, or other names",
    };
  }
  return { texts: texts as readonly string[] };
}

/** Everything below, or a name with a dot in it, which is taken for a file's. */
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

/** Whether a `*` stands in a name, not for a whole last one: the string reading of a deny crosses folders there. */
function crossesInside(glob: PathGlob): boolean {
  return glob.some((node, index) => {
    if (node.kind !== "star") return false;
    const before = glob[index - 1];
    const whole = before === undefined || before.kind === "text" && before.text.endsWith("/");
    return !(whole && index === glob.length - 1);
  });
}

function wideText(glob: PathGlob): string {
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

/** The globs without braces of which one must fit; undefined when they are too many. */
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
