import { type CallPath, isInside } from "../pattern/path/call_path.ts";
import type { Request } from "../policy/compile/request.ts";
import type { ChangedPath, Effect } from "../shell/effect.ts";

/**
 * An effect of a line as it is on this machine. A program that takes its configuration from a repository is unknown where that
 * is not the workspace's own, since git runs the programs that it names (core.fsmonitor at `git status`).
 */
export function settledEffect(effect: Effect, request: Request): Effect {
  const { repository } = effect;
  const why = repository && foreignReason(repository, request);
  if (why !== undefined) {
    const { allowTexts, folders } = repository!;
    const dependsOnFolder = folders.includes("") && allowTexts.length === 0;
    const unknown: Effect = {
      ...effect,
      kind: "opaque",
      name: undefined,
      repository: undefined,
      why,
      isHarmless: false,
      allowTexts,
    };
    return dependsOnFolder ? { ...unknown, dependsOnFolder } : unknown;
  }
  return effect;
}

/** The reason why a repository may name programs; undefined if it is the workspace's own. */
function foreignReason(
  { folders, remotes, open, mayBeMade }: NonNullable<Effect["repository"]>,
  request: Request,
): string | undefined {
  if (open) return "the folder of its repository, which may name programs, is not fixed";
  for (const folder of folders) {
    const found = request.repository(folder);
    if (found === "here") continue;
    const name = folder === "" ? "its folder" : `\`${folder}\``;
    if (found === "foreign") return `it may run programs that the repository in ${name} configures`;
    if (found === "above" && mayBeMade) {
      return `the line may have made a repository in ${name}, and it may run what that names`;
    }
  }
  if (remotes.length === 0) return undefined;
  const remote = remotes.find((each) =>
    request.looksForRepositories && request.repository(each) === "foreign"
  );
  return remote === undefined ? undefined : `it may run what a repository in \`${remote}\` names`;
}

/**
 * True if the path of a file may lead elsewhere by the time that it is opened, because an earlier command of the line may have
 * put a link there. Real paths are looked up before the line runs, so they do not show it. Only rules that people wrote about
 * files, and the border of the workspace, are passed by such a link: without either the verdict stays.
 */
export function mayBeRelinked({ behind, text, path }: Effect, request: Request): boolean {
  if (behind === undefined) return false;
  const file = path === "glob" ? text.slice(0, Math.max(0, text.search(/[*?[\\{]/))) : text;
  const own = request.path(file === "" ? "." : file);
  if (!own.ok) return true;
  return behind.some((changed) => isChanged(changed, { request, own }));
}

function isChanged(
  { path, isTree }: ChangedPath,
  { request, own }: { readonly request: Request; readonly own: CallPath & { readonly ok: true } },
): boolean {
  const folder = request.path(path === "" ? "." : path);
  if (!folder.ok) return true;
  if (isTree) {
    return !isInside(folder) || own.forms.some(({ workspace }) => workspace !== undefined);
  }
  return folder.forms.some(({ root }) => own.forms.some((form) => isAtOrBelow(form.root, root)));
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "" ? "" : `${folder}/`);
}
