import { type AgentEvent, EventFault } from "../../agents/hook/hook_protocol.ts";
import { findPolicyLocation, policyFolders } from "../../io/load/policy_location.ts";
import { loadLooks } from "../../io/load/load_looks.ts";
import { type LoadedPolicy, openPolicy, type PolicyOptions } from "../../io/load/load_policy.ts";
import { MOST_FOLDERS, PolicyFiles } from "../../io/load/read_places.ts";
import { findRepository } from "../../io/git/repository.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { mergeSettings } from "../../policy/sources/merge_settings.ts";
import { policyOptions } from "../input/open_policy.ts";
import type { Invocation } from "../args/verb.ts";

/** The policies that an event is answered by. */
export interface EventPolicies {
  /** That of the project, or of the folder that the event names. */
  readonly policy: LoadedPolicy;
  /** Those of the other folders that concern it. */
  readonly others: readonly LoadedPolicy[];
}

interface Opening {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/**
 * Opens the policy of an event's project, else of the folder it runs in. There the workspaces above count too, or a new
 * `.caliban/` in a folder would shed the project's denials; and those of the folder that the hook itself runs in, which is
 * the project's with Codex, or a call that names another folder would. Problems of a policy are not reported: the model
 * would read it.
 * Throws EventFault for folders that are not absolute, or gone.
 */
export async function openForEvent(
  event: AgentEvent,
  { invocation, runtime }: Opening,
): Promise<EventPolicies> {
  checkFolders(event, runtime);
  const looking = loadLooks(runtime);
  const options = { ...policyOptions(invocation), files: new PolicyFiles(), looking };
  const [first = event.cwd ?? runtime.cwd(), ...rest] = foldersOf(event, runtime);
  if (options.workspace !== undefined) {
    const policy = await openPolicy(runtime, options);
    checkVariables(policy, looking);
    return { policy, others: [] };
  }
  checkThere([first, ...rest], looking);
  const policy = event.folders.length === 0
    ? await openAround(first, { runtime, options })
    : await openPolicy(runtime, { ...options, start: first });
  checkVariables(policy, looking);
  const { workspace } = policy.location;
  // A link may lead into a project: its rules count as if the path led there directly.
  const real = [first, ...rest].flatMap((folder) => looking.realPath(folder) ?? []);
  const own = event.folders.length === 0 ? [runtime.cwd()] : [];
  const above = event.folders.length === 0
    ? [first, ...real, ...own].flatMap((each) => policyFolders(looking, each))
    : [];
  const known = new Set([workspace]);
  const others: LoadedPolicy[] = [];
  const opened = event.folders.length === 0 ? workspace : first;
  const starts = new Set(
    [...above, ...own, ...rest, ...real].filter((folder) => folder !== opened),
  );
  refuseMany(new Set(above).size);
  for (const start of starts) {
    const found = findPolicyLocation(looking, { start }).workspace;
    if (known.has(found)) continue;
    known.add(found);
    others.push(await openPolicy(runtime, { ...options, start }));
  }
  return { policy, others };
}

/** Each policy takes its time, and a clone may bring any number of them. Throws EventFault. */
function refuseMany(folders: number): void {
  if (folders <= MOST_FOLDERS) return;
  throw new EventFault(
    `more than ${MOST_FOLDERS} folders with a policy are around the call: remove some of their .caliban folders`,
  );
}

interface Around {
  readonly runtime: Runtime;
  readonly options: PolicyOptions & { readonly looking: Runtime };
}

/**
 * The policy for calls in a folder of which no agent says which project it is in: that of the topmost workspace around it that
 * is trusted, since any dependency may bring a policy of its own. Without one it is that of the repository, or of the
 * nearest policy file; with `require_trust = false` always the latter.
 */
async function openAround(folder: string, { runtime, options }: Around): Promise<LoadedPolicy> {
  const nearest = await openPolicy(runtime, { ...options, start: folder });
  if (!mergeSettings(nearest.sources.entries).requireTrust) return nearest;
  const { looking } = options;
  const around = foldersAround(folder, looking);
  refuseMany(around.length);
  const found = await Promise.all(
    around.map((workspace) =>
      workspace === nearest.location.workspace
        ? nearest
        : openPolicy(runtime, { ...options, workspace })
    ),
  );
  const depth = ({ location }: LoadedPolicy) => location.workspaceReal.split(/[/\\]/).length;
  const [topmost] = found.filter(({ isTrusted }) => isTrusted)
    .toSorted((a, b) => depth(a) - depth(b));
  if (topmost !== undefined) return topmost;
  const repository = found.length === 0 ? undefined : findRepository(looking, folder);
  if (repository === undefined || repository === nearest.location.workspace) return nearest;
  return await openPolicy(runtime, { ...options, workspace: repository });
}

/** The folders with a policy file that a folder really lies in, in its own spelling where that has them. */
function foldersAround(folder: string, runtime: Runtime): readonly string[] {
  const real = runtime.realPath(folder);
  if (real === null) return policyFolders(runtime, folder);
  const inReal = policyFolders(runtime, real);
  const spelled = policyFolders(runtime, folder)
    .filter((each) => inReal.includes(runtime.realPath(each) ?? each));
  const named = new Set(spelled.map((each) => runtime.realPath(each)));
  return [...spelled, ...inReal.filter((each) => !named.has(each))];
}

/** Variables that name files whose rules count without trust. */
const NAMING = ["CALIBAN_RULES", "CALIBAN_MANAGED_FILE", "XDG_CONFIG_HOME"];

/** Variables that name the folder in which the user's rules stand. */
const HOMES = ["HOME", "USERPROFILE", "APPDATA"];

/**
 * Refuses a variable that names a file of the project: its own settings can set variables for its agent, and so for the hook.
 * Throws EventFault.
 */
function checkVariables({ location }: LoadedPolicy, runtime: Runtime): void {
  const { workspaceReal, homeReal, platform } = location;
  const style = pathStyle(platform);
  const isIn = (path: string, folder: string) => {
    const [inner, outer] = [style.split(path), style.split(folder)];
    return inner.root === outer.root &&
      outer.segments.every((segment, index) => segment === inner.segments[index]);
  };
  const roots = [workspaceReal, findRepository(runtime, workspaceReal) ?? workspaceReal];
  // A repository around the home folder is the user's own.
  const foreign = roots.filter((root) => homeReal === undefined || !isIn(homeReal, root));
  // `/` and `/home` hold home folders; a project does not.
  const projects = roots.filter((root) => style.split(root).segments.length > 1);
  for (const name of [...NAMING, ...HOMES]) {
    const value = runtime.env(name) ?? "";
    if (value === "") continue;
    const path = style.absolute(value, location.cwd);
    const real = runtime.realPath(path) ?? path;
    const isInProject = NAMING.includes(name)
      ? foreign.some((root) => isIn(real, root) || isIn(path, root))
      : projects.some((root) => isIn(real, root) && !isIn(root, real));
    if (isInProject) {
      throw new EventFault(`the variable ${name} names a path in the project: "${value}"`);
    }
  }
}

function checkFolders({ folders, cwd }: AgentEvent, { platform }: Runtime): void {
  const { isAbsolute } = pathStyle(platform);
  const relative = [...folders, ...(cwd === undefined ? [] : [cwd])].find((each) =>
    !isAbsolute(each)
  );
  if (relative !== undefined) throw new EventFault(`the folder "${relative}" is not absolute`);
}

/** Of a folder that is gone nothing is known, its rules neither. */
function checkThere(folders: readonly string[], runtime: Runtime): void {
  const gone = folders.find((folder) => runtime.stat(folder) !== "directory");
  if (gone !== undefined) throw new EventFault(`the folder "${gone}" does not exist`);
}

/** The folders of a project, the one first that the call runs in. */
function foldersOf(
  { folders, cwd }: AgentEvent,
  { platform }: Pick<Runtime, "platform">,
): readonly string[] {
  const plain = (path: string) => platform === "windows" ? path.replaceAll("\\", "/") : path;
  const isAround = (folder: string) =>
    cwd !== undefined && `${plain(cwd)}/`.startsWith(plain(folder).replace(/\/?$/, "/"));
  const around = folders.filter(isAround).toSorted((a, b) => b.length - a.length);
  const [own] = around;
  return own === undefined ? folders : [own, ...folders.filter((folder) => folder !== own)];
}
