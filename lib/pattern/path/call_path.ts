import { foldCase } from "../unicode.ts";
import type { ListFolder } from "./shell_glob.ts";
import {
  absolutePath,
  isPlainPathIn,
  normalPath,
  otherReadings,
  type PathRules,
  relativeTo,
} from "./normal_path.ts";

/** The strictness of a look for a program. */
export interface ProgramLook {
  /** A name that PATH does not lead to counts too. */
  readonly mayLack?: boolean;
  /** A name that leads to a manager of versions does not count. */
  readonly isDirect?: boolean;
}

/** The folders and rules by which paths are compared. */
export interface PathContext extends PathRules {
  /** The normal path of the workspace, as written and with links followed. */
  readonly workspace: readonly string[];
  /** The normal path of the home folder, as written first and with links followed; empty if unknown. */
  readonly home: readonly string[];
  /** True if file names ignore case; then deny and ask rules do too. */
  readonly ignoreCase: boolean;
  /**
   * Follows every link of a path, as the kernel does. For a missing file, follows those of its nearest existing ancestor;
   * returns null on any other failure. Without it, only the written path counts.
   */
  readonly realPath?: (path: string) => string | null;
  /** Lists a folder; with it the files that a wildcard names are looked up. */
  readonly listFolder?: ListFolder;
  /**
   * True if the name of a program leads, by PATH, to a file outside of the workspace and of temporary folders. Without it no program
   * but the shell's own commands is of a class. `mayLack`: true too for a name that PATH does not lead to, where none of its folders
   * is in the workspace or a temporary one. `isDirect`: false for a name that leads to a manager of versions (asdf, mise, pyenv, …).
   */
  readonly isSystemProgram?: (name: string, options?: ProgramLook) => boolean;
  /** The repository that git uses in a folder, an absolute path. Without it, only the root of the workspace is known. */
  readonly gitRepository?: (folder: string) => GitRepository;
  /**
   * The text of a file, by its absolute path; null if none is there, undefined if that is unknown. Without it a program that the
   * workspace's files may configure is of no class.
   */
  readonly textOf?: (path: string) => string | null | undefined;
  /**
   * The repository whose configuration git reads in a folder, an absolute path; undefined where there is none. Without it every
   * command of git is of the class `code`.
   */
  readonly gitState?: (folder: string) => GitState | undefined;
  /**
   * True if a program, by the name of its look (`packages` of its table), has everything that it needs in a folder, an absolute path,
   * on this machine: it downloads nothing. Without it such a program is of the class `install`.
   */
  readonly hasPackages?: (look: string, folder: string) => boolean;
}

/** A repository as far as the classes of git's commands depend on it. */
export interface GitState {
  /** The folder of its work tree, an absolute path. */
  readonly root: string;
  /** The reason why git may run programs that it names, or reach others for it; absent for one's own, whose settings name none. */
  readonly why?: string;
  /** True for a submodule, or another worktree below the workspace's. */
  readonly isModule: boolean;
  /** The names of the hooks that it has; `any` if they are not known. */
  readonly hooks: readonly string[] | "any";
  /** True if a URL of its remotes, or the user's settings, may hold a password or token. */
  readonly mayHoldSecrets: boolean;
  /** True if by its settings a fetch may move or remove branches and tags, as with `--prune` or `--force`. */
  readonly forcesFetch?: boolean;
  /** True for the name of a branch or tag of its own. */
  readonly hasName: (name: string) => boolean;
  /** The files that its index names, from its root; undefined if they are too many or unknown. */
  readonly files: () => readonly string[] | undefined;
}

/**
 * The repository that git uses in a folder. `here`: that of the folder itself, so that nothing that comes to stand in the
 * folder changes it. `above`: that of a folder above it, or none. `foreign`: another one, whose configuration may name programs.
 */
export type GitRepository = "here" | "above" | "foreign";

export interface PathForm {
  /** The absolute path without its leading slash. */
  readonly root: string;
  /** Relative to the workspace; absent outside of it. */
  readonly workspace?: string;
  /** Relative to the home folder; absent outside of it. */
  readonly home?: string;
  /** Set for a folder of the name `~`, which hardly any program means. */
  readonly isDoubtful?: true;
}

export type CallPath =
  | {
    readonly ok: true;
    /** As written in the call. */
    readonly raw: string;
    /** All its forms; at least one. */
    readonly forms: readonly PathForm[];
    /** The forms in lower case; empty unless file names ignore case. */
    readonly folded: readonly PathForm[];
  }
  | {
    readonly ok: false;
    readonly raw: string;
    readonly detail: string;
    /** The forms that are known although its links cannot be followed; empty for a path that cannot be resolved at all. */
    readonly forms: readonly PathForm[];
    /** The forms in lower case; empty unless file names ignore case. */
    readonly folded: readonly PathForm[];
  };

/**
 * All forms of a call's path: resolved as text, and with links followed (both with `link/..` resolved as text and as the kernel
 * does); a leading `~` both as the home folder and as a folder of that name.
 */
export function callPath(raw: string, options: { cwd: string; context: PathContext }): CallPath {
  const { cwd, context, context: { platform } } = options;
  if (!context.ignoreCase && isPlainPathIn(raw, { platform, cwd })) {
    return plainPath(raw, { cwd, context });
  }
  const all = spellings(raw, context);
  // Each path, and whether only a folder of the name "~" leads there.
  const paths = new Map<string, boolean>();
  let isFollowed = true;
  for (const spelling of all) {
    const isDoubtful = all.length > 1 && spelling === raw;
    const add = (path: string) => paths.set(path, isDoubtful && (paths.get(path) ?? true));
    const written = normalPath(spelling, { platform, cwd });
    if (!written.ok) return { ok: false, raw, detail: written.detail, forms: [], folded: [] };
    add(written.path);
    const others = otherReadings(spelling, { platform, cwd, path: written.path });
    others.forEach(add);
    if (!context.realPath) continue;
    const joined = absolutePath(spelling, { platform, cwd }) ?? written.path;
    // No other program knows the root of a shell.
    const known = others.filter((each) => !/^\/(?!\/)/.test(each));
    for (const path of new Set([written.path, joined, ...known])) {
      const real = realPathOf(path, { context, normal: written.path });
      isFollowed &&= real !== undefined;
      if (real !== undefined) add(real);
    }
  }
  const forms = {
    forms: [...paths].map(([path, isDoubtful]): PathForm =>
      isDoubtful ? { ...formOf(path, context), isDoubtful } : formOf(path, context)
    ),
    folded: context.ignoreCase
      ? [...paths.keys()].map((path) => formOf(foldCase(path), lowered(context)))
      : [],
  };
  return isFollowed
    ? { ok: true, raw, ...forms }
    : { ok: false, raw, detail: NOT_FOLLOWED, ...forms };
}

/** A path that is in normal form as it is written, or the folder itself. */
function plainPath(
  raw: string,
  { cwd, context }: { readonly cwd: string; readonly context: PathContext },
): CallPath {
  const isAbsolute = raw.startsWith("/");
  const path = isAbsolute ? raw : raw === "." ? cwd : `${cwd}/${raw}`;
  const form = isAbsolute ? formOf(raw, context) : formIn(cwd, { raw, path, context });
  if (context.realPath === undefined) return { ok: true, raw, forms: [form], folded: [] };
  const real = realPathOf(path, { context, normal: path });
  const forms = real === undefined || real === path ? [form] : [form, formOf(real, context)];
  let isFollowed = real !== undefined;
  if (raw === ".") {
    const joined = realPathOf(dottedOf(cwd), { context, normal: path });
    isFollowed &&= joined !== undefined;
    if (joined !== undefined && joined !== path && joined !== real) {
      forms.push(formOf(joined, context));
    }
  }
  return isFollowed
    ? { ok: true, raw, forms, folded: [] }
    : { ok: false, raw, detail: NOT_FOLLOWED, forms, folded: [] };
}

const NOT_FOLLOWED = "its links cannot be followed";

/** The folder of the last relative path, and its form; absent if one of the folders that paths are seen from is below it. */
let lastFolder: {
  readonly cwd: string;
  readonly context: PathContext;
  readonly form: PathForm | undefined;
} | undefined;

/** The last folder with a dot behind it: a text that is kept is looked up faster than one that is made anew. */
let lastDotted = { cwd: "", dotted: "/." };

function dottedOf(cwd: string): string {
  if (lastDotted.cwd !== cwd) lastDotted = { cwd, dotted: `${cwd}/.` };
  return lastDotted.dotted;
}

/** The form of a path below a folder, both in normal form. */
function formIn(
  cwd: string,
  { raw, path, context }: {
    readonly raw: string;
    readonly path: string;
    readonly context: PathContext;
  },
): PathForm {
  if (lastFolder?.cwd !== cwd || lastFolder.context !== context) {
    const { workspace, home } = context;
    const isAbove = [...workspace, ...home].some((folder) => folder.startsWith(`${cwd}/`));
    lastFolder = { cwd, context, form: isAbove ? undefined : formOf(cwd, context) };
  }
  const { form } = lastFolder;
  if (form === undefined) return formOf(path, context);
  if (raw === ".") return form;
  const root = `${form.root}/${raw}`;
  const workspace = form.workspace === undefined ? undefined : joined(form.workspace, raw);
  const home = form.home === undefined ? undefined : joined(form.home, raw);
  return pathForm(root, { workspace, home });
}

function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** One path that is any of several, at least one: with the forms of all, and known if each is. */
export function joinedPaths(paths: readonly CallPath[]): CallPath {
  const [first, ...others] = paths as readonly [CallPath, ...CallPath[]];
  if (others.length === 0) return first;
  const forms = {
    forms: paths.flatMap((path) => path.forms),
    folded: paths.flatMap((path) => path.folded),
  };
  const unknown = paths.find((path) => !path.ok);
  return unknown && !unknown.ok ? { ...unknown, ...forms } : { ...first, ...forms };
}

/** A path of which only some forms are known. */
export function unknownPath({ raw, forms, folded }: CallPath, detail: string): CallPath {
  return { ok: false, raw, detail, forms, folded };
}

/** True if a path is certainly inside the workspace, with links followed. */
export function isInside(path: CallPath): boolean {
  return path.ok && path.forms.every((form) => form.workspace !== undefined);
}

function realPathOf(
  path: string,
  { context, normal: written }: { readonly context: PathContext; readonly normal: string },
): string | undefined {
  const real = context.realPath?.(path) ?? null;
  if (real === null) return undefined;
  if (real === written) return real;
  const normal = normalPath(real, { platform: context.platform, cwd: real });
  return normal.ok ? normal.path : undefined;
}

function spellings(raw: string, context: PathContext): readonly string[] {
  if (raw !== "~" && !raw.startsWith("~/")) return [raw];
  // Without a home folder, "~~" stands for an unknown path: normalPath rejects it.
  const home = context.home[0];
  return home === undefined ? ["~~"] : [raw, home + raw.slice(1)];
}

type Folders = Pick<PathContext, "workspace" | "home">;

function formOf(path: string, folders: Folders): PathForm {
  const workspace = below(path, folders.workspace);
  const home = below(path, folders.home);
  return pathForm(path.startsWith("/") ? path.slice(1) : path, { workspace, home });
}

function pathForm(
  root: string,
  { workspace, home }: {
    readonly workspace: string | undefined;
    readonly home: string | undefined;
  },
): PathForm {
  if (workspace === undefined) return home === undefined ? { root } : { root, home };
  return home === undefined ? { root, workspace } : { root, workspace, home };
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
