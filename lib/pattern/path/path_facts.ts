import { foldCase } from "../fold_case.ts";
import { absolutePath, normalPath, type PathRules, relativeTo } from "./normal_path.ts";

/** What path patterns are measured against. */
export interface PathContext extends PathRules {
  /** The workspace's normal path, as written and with links followed. */
  readonly workspace: readonly string[];
  /** The home folder's normal path, as written first and with links followed; empty when it is not known. */
  readonly home: readonly string[];
  /** Whether file names that differ only in case name the same file: then deny and ask rules ignore case. */
  readonly ignoreCase: boolean;
  /**
   * The path with every link followed, as the kernel opens it; for what does not exist yet that of its nearest existing
   * ancestor, plus the rest; null when the look-up fails otherwise. Without it only the written path counts.
   */
  readonly realPath?: (path: string) => string | null;
}

/** One way to say which file a call means. */
export interface PathForm {
  /** The absolute path without its leading slash. */
  readonly root: string;
  /** Relative to the workspace; absent outside of it. */
  readonly workspace?: string;
  /** Relative to the home folder; absent outside of it. */
  readonly home?: string;
}

/** A call's path, ready to be matched. */
export type CallPath =
  | {
    readonly ok: true;
    /** The path as the call has it. */
    readonly raw: string;
    /** Every reading of it; at least one. */
    readonly forms: readonly PathForm[];
    /** The same in lower case; only where file names ignore case. */
    readonly folded: readonly PathForm[];
  }
  | { readonly ok: false; readonly raw: string; readonly detail: string };

/**
 * All ways to read a call's path: resolved by its text, and with links followed (both the text's and the kernel's reading
 * of `link/..`); a leading `~` both as the home folder and as a folder of that name.
 */
export function callPath(raw: string, options: { cwd: string; context: PathContext }): CallPath {
  const { context } = options;
  const paths = new Set<string>();
  for (const spelling of spellings(raw, context)) {
    const written = normalPath(spelling, { platform: context.platform, cwd: options.cwd });
    if (!written.ok) return { ok: false, raw, detail: written.detail };
    paths.add(written.path);
    if (!context.realPath) continue;
    const joined = absolutePath(spelling, { platform: context.platform, cwd: options.cwd }) ??
      written.path;
    for (const path of new Set([written.path, joined])) {
      const real = followed(path, context);
      if (real === undefined) return { ok: false, raw, detail: "its links cannot be followed" };
      paths.add(real);
    }
  }
  const exact = { workspace: context.workspace, home: context.home };
  return {
    ok: true,
    raw,
    forms: [...paths].map((path) => formOf(path, exact)),
    folded: context.ignoreCase
      ? [...paths].map((path) => formOf(foldCase(path), lowered(exact)))
      : [],
  };
}

/** Whether a path surely is inside the workspace, links followed. */
export function isInside(path: CallPath): boolean {
  return path.ok && path.forms.every((form) => form.workspace !== undefined);
}

function followed(path: string, context: PathContext): string | undefined {
  const real = context.realPath?.(path) ?? null;
  if (real === null) return undefined;
  const normal = normalPath(real, { platform: context.platform, cwd: real });
  return normal.ok ? normal.path : undefined;
}

function spellings(raw: string, context: PathContext): readonly string[] {
  if (!/^~(\/|$)/.test(raw)) return [raw];
  // Without a home folder "~~" stands for what cannot be known: normalPath refuses it.
  const home = context.home[0];
  return home === undefined ? ["~~"] : [raw, home + raw.slice(1)];
}

interface Folders {
  readonly workspace: readonly string[];
  readonly home: readonly string[];
}

function formOf(path: string, folders: Folders): PathForm {
  const workspace = below(path, folders.workspace);
  const home = below(path, folders.home);
  return {
    root: path.replace(/^\//, ""),
    ...(workspace === undefined ? {} : { workspace }),
    ...(home === undefined ? {} : { home }),
  };
}

function below(path: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const rest = relativeTo(path, folder);
    if (rest !== undefined) return rest;
  }
  return undefined;
}

function lowered(folders: Folders): Folders {
  return { workspace: folders.workspace.map(foldCase), home: folders.home.map(foldCase) };
}
