import type { PolicyLocation } from "../../io/load/policy_location.ts";
import { pathContext, type PolicyOptions } from "../../io/load/load_policy.ts";
import { loadSources } from "../../io/load/load_sources.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { SourceEntry } from "../../model/rule.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { appliesTo, compilePolicy } from "../../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { mergeSources } from "../../policy/sources/merge.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { LOCAL_FILE, POLICY_FOLDER } from "../../policy/sources/source.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import { fileEntry, gitSide } from "./operand_entries.ts";

/** The surroundings in which every operand is compiled; workspace files count as trusted, on every side. */
export interface OperandScene {
  /** The location of the workspace. */
  readonly location: PolicyLocation;
  /** The entries of all sources but the workspace's own files, highest first. */
  readonly entries: readonly SourceEntry[];
  /** The context that path patterns are matched in. */
  readonly context: PathContext;
}

/** The policy files of an operand, read but not compiled. */
export type Side =
  /** One file, which is a policy of its own above the built-in rules. */
  | { readonly kind: "file"; readonly entry: SourceEntry }
  /** The workspace's files in place of those that are there now; `folder` for one of the working tree. */
  | {
    readonly kind: "workspace";
    readonly folder?: string;
    readonly local: SourceEntry;
    readonly project: SourceEntry;
  };

/** A policy that an operand names. */
export interface OperandPolicy {
  readonly name: string;
  readonly policy: CompiledPolicy;
}

/** Reads what all sides share. Paths are compared as written: the links on this machine's disk make no difference. */
export async function openScene(runtime: Runtime, options: PolicyOptions): Promise<OperandScene> {
  const { location, entries } = await readFolder(runtime, {
    ...options,
    off: [...new Set([...options.off ?? [], "project" as const])],
  });
  const {
    realPath: _,
    listFolder: _list,
    gitRepository: _git,
    gitState: _state,
    textOf: _text,
    ...context
  } = pathContext(
    runtime,
    location,
  );
  const shared = entries.filter(({ kind }) => !isWorkspaceFile(kind));
  // Nor do its programs, its repositories and its other files.
  const git = {
    root: location.workspace,
    isModule: false,
    hooks: [],
    mayHoldSecrets: true,
    hasName: () => false,
    files: () => undefined,
  };
  const same = {
    ...context,
    isSystemProgram: () => true,
    textOf: () => null,
    gitState: () => git,
  };
  return { location, entries: shared, context: same };
}

/** Reads an operand: `git:REV`, `git:REV:PATH`, a folder or a file. Throws FileError, LoadError and RangeError. */
export async function readSide(
  text: string,
  { runtime, scene }: { readonly runtime: Runtime; readonly scene: OperandScene },
): Promise<Side> {
  if (text.startsWith("git:")) return await gitSide(text, { runtime, scene });
  const path = pathStyle(runtime.platform).absolute(text, runtime.cwd());
  const kind = runtime.stat(path);
  if (kind === "directory") return await folderSide(path, { runtime, scene });
  if (kind !== undefined) return { kind: "file", entry: fileEntry(path, runtime) };
  const message = `Cannot read "${text}": there is no such file or folder`;
  throw new FileError(message, { path, fault: "not-found" });
}

async function folderSide(
  path: string,
  { runtime, scene }: { readonly runtime: Runtime; readonly scene: OperandScene },
): Promise<Side> {
  const style = pathStyle(runtime.platform);
  const isPolicyFolder = style.split(path).segments.at(-1) === POLICY_FOLDER;
  const named = isPolicyFolder ? style.absolute("..", path) : path;
  // "." in a folder of the workspace is the workspace, as for every other verb.
  const folder = named === scene.location.cwd ? scene.location.workspace : named;
  const { entries } = await readFolder(runtime, { workspace: folder, off: ["user", "builtin"] });
  const [local, project] = (["local", "project"] as const)
    .map((kind) => entries.find((entry) => entry.kind === kind)!) as [SourceEntry, SourceEntry];
  return { kind: "workspace", folder, local, project };
}

async function readFolder(runtime: Runtime, options: PolicyOptions) {
  const { cli = [], rules = [], off = [], workspace } = options;
  const { merged, ...location } = await loadSources(runtime, {
    cli,
    rules,
    off,
    session: [],
    command: [],
    trust: "given",
    defaultTools: [...DEFAULT_TOOLS],
    appliesTo,
    ...(workspace === undefined ? {} : { workspace }),
  });
  return { location, entries: merged.entries };
}

/**
 * A local file that git does not keep is a person's own, as the user's rules are: where a revision is compared with the
 * workspace that it is of, it counts on both sides. Answers its path then.
 */
export async function shareLocal(
  sides: readonly [Side, Side],
  { runtime, scene }: { readonly runtime: Runtime; readonly scene: OperandScene },
): Promise<{ readonly sides: readonly [Side, Side]; readonly shared?: string }> {
  const tree = sides.find((side) =>
    side.kind === "workspace" && side.folder === scene.location.workspace
  );
  const revision = sides.find((side) => side.kind === "workspace" && side.folder === undefined);
  if (tree?.kind !== "workspace" || revision?.kind !== "workspace") return { sides };
  const { local, folder = "" } = tree;
  if (local.state !== "read" || revision.local.state === "read") return { sides };
  const { isUntracked } = await import("../../io/git/git_files.ts");
  const path = `${POLICY_FOLDER}/${LOCAL_FILE}`;
  if (!await isUntracked(runtime, { folder, path })) return { sides };
  const [first, second] = sides.map((side) => side === revision ? { ...revision, local } : side);
  return { sides: [first!, second!], shared: local.path };
}

/** Compiles what operands name. Throws PolicyError with everything that is wrong in them. */
export function compileSides(
  sides: readonly (readonly [name: string, side: Side])[],
  scene: OperandScene,
): readonly OperandPolicy[] {
  const problems = new Map<string, FileProblem>();
  const compiled = sides.flatMap(([name, side]) => {
    const merged = mergeSources(entriesOf(side, scene), {
      defaultTools: [...DEFAULT_TOOLS],
      appliesTo,
    });
    const { context, location: { cwd } } = scene;
    const result = compilePolicy(merged, { context, cwd });
    if (result.policy) return [{ name, policy: result.policy }];
    for (const each of result.problems) {
      problems.set(`${each.path}:${each.span.start}:${each.message}`, each);
    }
    return [];
  });
  if (problems.size > 0) throw new PolicyError([...problems.values()]);
  return compiled;
}

/** The entries of a side, highest first: a workspace's files come right above the user's. */
function entriesOf(side: Side, { entries }: OperandScene): readonly SourceEntry[] {
  if (side.kind === "file") {
    return [side.entry, ...entries.filter(({ kind }) => kind === "builtin")];
  }
  const { local, project } = side;
  const own = [local, project].map((entry) => ({ ...entry, trusted: true }));
  const at = entries.findIndex(({ kind }) => kind === "user" || kind === "builtin");
  const place = at < 0 ? entries.length : at;
  return [...entries.slice(0, place), ...own, ...entries.slice(place)];
}
