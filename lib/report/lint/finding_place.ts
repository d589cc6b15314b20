import type { Span } from "../../model/place.ts";
import type { FindingStyle } from "./finding_report.ts";

/** A piece of a text by lines and columns, both from 1, columns in UTF-16 code units. */
export interface Region {
  /** Line of its first character. */
  readonly startLine: number;
  /** Column of its first character. */
  readonly startColumn: number;
  /** Line of its end. */
  readonly endLine: number;
  /** Column behind its last character. */
  readonly endColumn: number;
}

/** The lines and columns of a span of `text`. */
export function regionOf({ start, end, line, column }: Span, text: string): Region {
  const lines = text.slice(start, end).split("\n");
  const last = lines.at(-1) ?? "";
  return {
    startLine: line,
    startColumn: column,
    endLine: line + lines.length - 1,
    endColumn: lines.length === 1 ? column + last.length : last.length + 1,
  };
}

/** A file's path from the root, parts joined by `/`, as other programs look for it; undefined when it is not below. */
export function pathFromRoot(path: string, root: string): string | undefined {
  const separator = root.includes("\\") ? "\\" : "/";
  const folder = root.endsWith(separator) ? root : root + separator;
  if (!path.startsWith(folder) || path === folder) return undefined;
  return path.slice(folder.length).replaceAll(separator, "/");
}

/** The folder that other programs look for files in. */
export function rootOf({ root, folders }: FindingStyle): string {
  return root?.() ?? folders.workspace;
}
