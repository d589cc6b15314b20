import type { CommandClass } from "../../model/call.ts";
import type { GitState } from "../../pattern/path/call_path.ts";
import type { Request } from "../../policy/compile/request.ts";
import { BIT, bitsOf, classesIn } from "../../shell/programs/classes/class_set.ts";
import type { CommandTraits, Effect } from "../../shell/effect.ts";

const CODE: readonly CommandClass[] = ["code"];

/** Classes of commands in the work tree. */
const IN_TREE: ReadonlySet<CommandClass> = new Set(["repository", "project"]);

/** A revision that is seen from the one that is checked out, or was before. */
const OWN = /^(?:(?:HEAD|@)(?:[~^]\d*)*|-|@\{-\d+\})$/;

/**
 * The classes of a command of git on this machine. It is of those of its table in the workspace's own repository only, and where
 * no setting of that names a program; where it has a hook that the command runs, `project` is among them.
 */
export function classesInRepository(
  classes: readonly CommandClass[],
  { effect, traits: { git }, request }: {
    readonly effect: Effect;
    readonly traits: CommandTraits;
    readonly request: Request;
  },
): readonly CommandClass[] {
  const { repository } = effect;
  if (git === undefined || repository === undefined) return classes;
  const found = repositoriesOf(repository.folders, request);
  // gh and glab start git by its name.
  const isFound = /(?:^|\/)git$/.test(effect.name ?? "") || request.isSystemProgram("git");
  if (repository.open || found === undefined || !isFound) return CODE;
  if (found.some(({ why }) => why !== undefined)) return CODE;
  let bits = bitsOf(classes);
  if (found.some(({ isModule }) => isModule) && classes.some((each) => IN_TREE.has(each))) {
    return CODE;
  }
  if (found.some(({ hooks }) => mayRun(hooks, git.hooks))) bits |= BIT.project;
  if (git.showsRemotes && (found.length === 0 || found.some((each) => each.mayHoldSecrets))) {
    bits |= BIT.secret;
  }
  if (git.fetches && found.some((each) => each.forcesFetch)) bits |= BIT.delete;
  const { revisions } = git;
  if (revisions?.names.some((name) => !isOwnName(name, found))) bits |= BIT[revisions.adds];
  return classesIn(bits);
}

/** The repositories of some folders; undefined if one of them is not known. */
export function repositoriesOf(
  folders: readonly string[],
  request: Request,
): readonly GitState[] | undefined {
  const found = folders.map((folder) => request.gitState(folder));
  return found.every((each) => each !== undefined) ? found.flatMap((each) => each) : undefined;
}

function mayRun(hooks: GitState["hooks"], named: readonly string[]): boolean {
  if (named.length === 0) return false;
  if (hooks === "any" || named.includes("*")) return hooks.length > 0;
  return hooks.some((hook) => named.some((name) => hook.startsWith(name)));
}

function isOwnName(name: string, found: readonly GitState[]): boolean {
  return OWN.test(name) || found.length > 0 && found.every(({ hasName }) => hasName(name));
}

/** The reason why the classes of a command of git are not those of its table; undefined if they are. */
export function whyNotOwn(
  { repository }: Effect,
  { git }: CommandTraits,
  request: Request,
): string | undefined {
  if (git === undefined || repository === undefined) return undefined;
  const found = repositoriesOf(repository.folders, request);
  if (repository.open || found === undefined) return "its repository is not known";
  return found.find(({ why }) => why !== undefined)?.why;
}
