import {
  type FileScope,
  type ReadFile,
  settingsValue,
  type SwitchFile,
} from "../../agents/settings/hook_switches.ts";
import { WORKSPACE_BOUND } from "../../io/load/read_places.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import {
  inSettings,
  managedFile,
  type PlaceOptions,
  unmarked,
  userFolderOf,
} from "../write/agent_settings.ts";

/** The files of an agent that can switch its hooks off, as far as they are there. */
export interface SwitchFiles {
  /** For each folder that the agent can be started in, from the workspace down to the current one. */
  readonly views: readonly (readonly ReadFile[])[];
  /** Files that cannot be read, one sentence each. */
  readonly broken: readonly string[];
}

type About = Omit<PlaceOptions, "scope">;

/** The machine, as far as files are read from it. */
type Files = Pick<Runtime, "env" | "platform" | "stat" | "readText" | "listFolder">;

/** Reads the files of an agent that can switch its hooks off. */
export function readSwitchFiles(runtime: Files, about: About): SwitchFiles {
  const broken = new Set<string>();
  const { cwd, workspace, platform } = about.location;
  const above = ancestors(cwd, platform);
  const depth = above.indexOf(workspace);
  const folders = depth === -1 ? [workspace] : above.slice(0, depth + 1).toReversed();
  const views = folders.map((folder) => {
    const location = { ...about.location, workspace: folder };
    return filesIn(runtime, { ...about, location }, broken);
  });
  return { views, broken: [...broken] };
}

function filesIn(runtime: Files, about: About, broken: Set<string>): readonly ReadFile[] {
  const files: ReadFile[] = [];
  for (const file of about.settings.switches?.files ?? []) {
    for (const path of pathsOf(runtime, file, about)) {
      try {
        if (runtime.stat(path) !== "file") continue;
        const bound = file.scope === "project" ? WORKSPACE_BOUND.bytes : undefined;
        const { text } = unmarked(runtime.readText(path, bound));
        const value = inSettings(path, () => settingsValue(path, text));
        files.push({ scope: file.scope, path, value });
      } catch (error) {
        if (!(error instanceof InputError || error instanceof FileError)) throw error;
        broken.add(error.message);
      }
    }
  }
  return files;
}

/** The absolute paths that a file stands for. */
function pathsOf(runtime: Files, file: SwitchFile, about: About): readonly string[] {
  const named = file.variable === undefined ? "" : runtime.env(file.variable) ?? "";
  const style = pathStyle(runtime.platform);
  if (style.isAbsolute(named)) return [named];
  const path = pathFor[file.scope](runtime, file, about);
  if (path === undefined) return [];
  const { root, segments } = style.split(path);
  if (segments.at(-1) !== "*.json") return [path];
  const folder = style.build({ root, segments: segments.slice(0, -1) });
  return (runtime.listFolder(folder) ?? []).map(({ name }) => name)
    .filter((name) => name.endsWith(".json") && !name.startsWith(".")).toSorted()
    .map((name) => style.join(folder, name));
}

type PathFor = (runtime: Files, file: SwitchFile, about: About) => string | undefined;

const pathFor: Readonly<Record<FileScope, PathFor>> = {
  defaults: inManaged,
  managed: inManaged,
  user: inHome,
  project: inProject,
  local: inProject,
};

function inManaged(runtime: Files, file: SwitchFile, { settings }: About): string | undefined {
  const folder = file.folder ?? settings.managed?.folder;
  return folder && managedFile(runtime, { folder, path: file.path });
}

function inProject(runtime: Files, { path }: SwitchFile, { location }: About): string {
  return pathStyle(runtime.platform).join(location.workspace, ...path);
}

/** A variable for the agent's own folder says nothing about another agent's. */
function inHome(runtime: Files, { path }: SwitchFile, about: About): string | undefined {
  const [first = "", ...rest] = path;
  const { settings, location: { home } } = about;
  const style = pathStyle(runtime.platform);
  try {
    const own = settings.path("user")[0] === first;
    if (own) return style.join(userFolderOf(runtime, about), ...rest);
    return home === undefined ? undefined : style.join(home, ...path);
  } catch (error) {
    // Without a home there are no files of a user.
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}
