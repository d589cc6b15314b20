import type { RuleSource } from "../model/rule.ts";
import { visible } from "../text/visible.ts";

/** The folders that paths are shown relative to. */
export interface Folders {
  readonly workspace: string;
  /** The home folder, when it is known. */
  readonly home?: string;
}

/** The place of a rule: `project, .caliban/permissions.toml:4:1`; a path below the workspace or home is shortened. */
export function placeText(source: RuleSource, folders: Folders): string {
  const kind = source.kind === "builtin" ? "built-in" : source.kind;
  if (source.kind === "cli") {
    return `command line, ${visible(source.path)} (rule flag ${source.line})`;
  }
  return `${kind}, ${pathText(source.path, folders)}:${source.line}:${source.column}`;
}

/** A path as it is shown: relative to the workspace, `~/…` below the home folder, else absolute. */
export function pathText(path: string, { workspace, home }: Folders): string {
  return visible(
    below(path, { folder: workspace, as: "" }) ??
      (home && below(path, { folder: home, as: "~/" })) ?? path,
  );
}

function below(path: string, { folder, as }: { folder: string; as: string }): string | undefined {
  const prefix = /[\\/]$/.test(folder) ? folder : `${folder}${folder.includes("\\") ? "\\" : "/"}`;
  return path.startsWith(prefix) ? as + path.slice(prefix.length) : undefined;
}
