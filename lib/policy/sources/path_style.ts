/** The platforms whose paths caliban knows; every other Unix counts as `linux`. */
export type Platform = "linux" | "darwin" | "windows";

/** An absolute or relative path, taken apart. */
export interface SplitPath {
  /** `/`, `C:\` or `\\server\share\`; empty for a relative path. */
  readonly root: string;
  /**
   * The segments without empty ones and `.`; `..` is kept, because only the file system can resolve it.
   */
  readonly segments: readonly string[];
}

/** The path syntax of a platform. */
export interface PathStyle {
  /** The text between segments. */
  readonly separator: "/" | "\\";
  /** True if the path is absolute. */
  isAbsolute(path: string): boolean;
  /** The path's root and segments. */
  split(path: string): SplitPath;
  /** The text of a path; the opposite of `split`. */
  build(path: SplitPath): string;
  /** The path of something below `folder`. */
  join(folder: string, ...segments: readonly string[]): string;
  /**
   * The path itself if it is absolute, otherwise the path relative to `folder`, which is absolute.
   */
  absolute(path: string, folder: string): string;
}

const WINDOWS_ROOT = /^(?:[A-Za-z]:\\|\\\\[^\\]+\\[^\\]+(?:\\|$))/;

/** The path syntax of a platform. */
export function pathStyle(platform: Platform): PathStyle {
  return platform === "windows" ? WINDOWS : POSIX;
}

const POSIX = styleOf("/", (path) => path.startsWith("/") ? "/" : "");

const WINDOWS = styleOf("\\", (path) => {
  const root = WINDOWS_ROOT.exec(path)?.[0] ?? "";
  return root === "" || root.endsWith("\\") ? root : root + "\\";
});

function styleOf(separator: "/" | "\\", rootOf: (path: string) => string): PathStyle {
  const native = (path: string) => separator === "/" ? path : path.replaceAll("/", "\\");
  const style: PathStyle = {
    separator,
    isAbsolute: (path) => rootOf(native(path)) !== "",
    split(path) {
      const root = rootOf(native(path));
      const segments = native(path).slice(root.length).split(separator);
      return { root, segments: segments.filter((segment) => segment !== "" && segment !== ".") };
    },
    build: ({ root, segments }) => root + segments.join(separator),
    join(folder, ...segments) {
      if (segments.length > 0 && isPlain(folder, separator)) {
        return `${folder}/${segments.join("/")}`;
      }
      const start = style.split(folder);
      return style.build({ root: start.root, segments: [...start.segments, ...segments] });
    },
    absolute(path, folder) {
      const asked = style.split(path);
      if (asked.root !== "") return style.build(asked);
      const start = style.split(folder);
      // `\x` on Windows is below the root of the current drive.
      const below = native(path).startsWith(separator) ? [] : start.segments;
      return style.build({ root: start.root, segments: [...below, ...asked.segments] });
    },
  };
  return style;
}

/** True for an absolute path of Unix that splitting and building would leave as it is. */
function isPlain(path: string, separator: "/" | "\\"): boolean {
  return separator === "/" && path.startsWith("/") && !path.endsWith("/") && !path.endsWith("/.") &&
    !path.includes("//") && !path.includes("/./");
}

/**
 * The folder itself and every folder above it, nearest first, the root last. Purely textual: throws RangeError unless `dir`
 * is absolute and has no `..`.
 */
export function ancestors(dir: string, platform: Platform): readonly string[] {
  const style = pathStyle(platform);
  const { root, segments } = style.split(dir);
  if (root === "" || segments.includes("..")) {
    throw new RangeError(`Cannot list the folders above "${dir}": it is not absolute or has ".."`);
  }
  return [...segments.keys(), segments.length].reverse()
    .map((count) => style.build({ root, segments: segments.slice(0, count) }));
}
