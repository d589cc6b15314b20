import type { Span } from "../model/problem.ts";
import type { Rule, RuleSource } from "../model/rule.ts";
import { textWidth, visible } from "../text/visible.ts";
import { cut } from "../text/call_text.ts";
import type { Color } from "./color.ts";

/** The folders that paths are shown relative to. */
export interface Folders {
  readonly workspace: string;
  /** The home folder, when it is known. */
  readonly home?: string;
  /** The folder that paths of the workspace, and those below it, are told from; the workspace when it is absent. */
  readonly from?: string;
}

/** The place of a rule: `project, .caliban/permissions.toml:4:1`; a path below the workspace or home is shortened. */
export function placeText(source: RuleSource, folders: Folders): string {
  const kind = source.kind === "builtin" ? "built-in" : source.kind;
  if (source.kind === "cli") {
    return `command line, ${visible(source.path)} (rule flag ${source.line})`;
  }
  return `${kind}, ${pathText(source.path, folders)}:${source.line}:${source.column}`;
}

/** A path as it is shown: relative to the workspace or the folder to tell it from, `~/…` below the home folder, else absolute. */
export function pathText(path: string, { workspace, home, from }: Folders): string {
  return visible(
    (from === undefined
      ? below(path, { folder: workspace, as: "" })
      : pathFrom(path, { workspace, from })) ??
      (home && below(path, { folder: home, as: "~/" })) ?? path,
  );
}

/** A file's path from the root, parts joined by `/`, as other programs look for it; undefined when it is not below. */
export function pathFromRoot(path: string, root: string): string | undefined {
  const separator = separatorOf(root);
  const folder = root.endsWith(separator) ? root : root + separator;
  if (!path.startsWith(folder) || path === folder) return undefined;
  return path.slice(folder.length).replaceAll(separator, "/");
}

/** A piece of a text by lines and columns, both from 1, columns in UTF-16 code units. */
export interface Region {
  /** Line of its first character. */
  readonly startLine: number;
  /** Column of its first character. */
  readonly startColumn: number;
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

/** The path of a file of the workspace, or below `from`, as one writes it there; undefined for others, and on another drive. */
function pathFrom(
  path: string,
  { workspace, from }: { readonly workspace: string; readonly from: string },
): string | undefined {
  const inside = below(path, { folder: from, as: "" });
  if (inside !== undefined || below(path, { folder: workspace, as: "" }) === undefined) {
    return inside;
  }
  const separator = separatorOf(path);
  const [parts, start] = [path, from].map((each) => each.split(separator));
  const shared = start!.findIndex((part, at) => part !== parts![at]);
  // Without a folder in common the whole path is clearer.
  if (shared < 2) return undefined;
  return [...start!.slice(shared).map(() => ".."), ...parts!.slice(shared)].join(separator);
}

function separatorOf(path: string): string {
  return path.includes("\\") ? "\\" : "/";
}

function below(path: string, { folder, as }: { folder: string; as: string }): string | undefined {
  const prefix = folder.endsWith("/") || folder.endsWith("\\")
    ? folder
    : `${folder}${separatorOf(folder)}`;
  return path.startsWith(prefix) ? as + path.slice(prefix.length) : undefined;
}

/** The style of a rule's lines. */
export interface RuleStyle {
  readonly color: Color;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** In front of each line. */
  readonly indent: string;
  /** The columns of a line, with its indent. */
  readonly columns: number;
  /** Set where a pattern that is longer than a line is cut. */
  readonly isCut?: true;
}

/** A rule with its place, below it where that is too long: `rule Bash:git * (allow), project, .caliban/…:4:1`. */
export function ruleLines(rule: Rule, style: RuleStyle): readonly string[] {
  const { color, indent, columns } = style;
  const shown = visible(rule.pattern);
  const pattern = style.isCut ? cut(shown, columns - indent.length - "rule ".length) : shown;
  const place = placeText(rule.source, style.folders);
  const head = `${indent}rule ${color.bold(pattern)}`;
  const action = `(${rule.action}),`;
  const width = textWidth(`${indent}rule ${pattern} ${action}`);
  if (width + 1 + textWidth(place) <= columns) return [`${head} ${action} ${place}`];
  return width <= columns
    ? [`${head} ${action}`, `${indent}${place}`]
    : [head, `${indent}${action} ${place}`];
}
