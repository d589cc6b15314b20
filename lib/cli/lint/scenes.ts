import type { AgentName } from "../../agents/registry.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";
import { pathContext } from "../../io/load/load_policy.ts";
import { loadSources } from "../../io/load/load_sources.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { LintScene } from "../../lint/lint_scene.ts";
import type { SourceEntry } from "../../model/rule.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { appliesTo } from "../../policy/compile/compile_policy.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import { policyOptions } from "../input/open_policy.ts";
import type { Invocation } from "../args/verb.ts";

/** The files that lint checks, with their policies. */
export interface LintScenes {
  /** The policy as it is, with the files of it that are looked at; then each other file by itself. */
  readonly scenes: readonly LintScene[];
  /** Paths of the files that are looked at by themselves. */
  readonly others: readonly string[];
  readonly location: PolicyLocation;
}

/**
 * Reads the policy and the files that the operands name; without operands every file that `add` could write. Throws
 * LoadError, SourceError, and FileError for a named file that cannot be read.
 */
export async function openLintScenes(
  invocation: Invocation,
  wanted: { readonly runtime: Runtime; readonly agents: readonly AgentName[] },
): Promise<LintScenes> {
  const { runtime } = wanted;
  const { merged, ...location } = await loadSources(runtime, {
    ...policyOptions(invocation),
    session: [],
    command: [],
    trust: "given",
    defaultTools: [...DEFAULT_TOOLS],
    appliesTo,
  });
  const entries = merged.entries.filter(isFirstOfPath);
  // The links and programs of this machine make no difference: most calls that are tried are made up.
  const { realPath: _, ...here } = pathContext(runtime, location);
  const context = { ...lookedUpOnce(here), isSystemProgram: () => true };
  const surroundings = { context, cwd: location.cwd };
  const { agents } = wanted;
  const common = { surroundings, now: runtime.now(), agents };
  if (invocation.operands.length === 0) {
    const paths = merged.entries.filter(isWritable).map(({ path }) => path);
    return { scenes: [{ entries, paths, ...common }], others: [], location };
  }
  const named = namedPaths(invocation.operands, { entries, runtime, location });
  const own = named.filter((path) => entries.some((entry) => isFile(entry, path)));
  const others = named.filter((path) => !own.includes(path));
  const builtin = entries.filter(({ kind }) => kind === "builtin");
  const scenes = [
    ...(own.length === 0 ? [] : [{ entries, paths: own, ...common }]),
    ...others.map((path) => ({
      entries: [entryOf(path, runtime), ...builtin],
      paths: [path],
      ...common,
    })),
  ];
  return { scenes, others, location };
}

/** The same machine, each file, folder and repository of which is looked up once. */
function lookedUpOnce(context: PathContext): PathContext {
  const { listFolder, textOf, gitRepository, gitState } = context;
  return {
    ...context,
    ...(listFolder ? { listFolder: once(listFolder) } : {}),
    ...(textOf ? { textOf: once(textOf) } : {}),
    ...(gitRepository ? { gitRepository: once(gitRepository) } : {}),
    ...(gitState ? { gitState: once(gitState) } : {}),
  };
}

function once<T>(look: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, look(path));
    return known.get(path) as T;
  };
}

/** True if no higher entry is the same file (`--rules` can name a file that is a source already). */
function isFirstOfPath(
  { path, text }: SourceEntry,
  index: number,
  entries: readonly SourceEntry[],
): boolean {
  return text === undefined ||
    entries.findIndex((each) => each.path === path && each.text !== undefined) === index;
}

/** True if the entry is a file that `add` could write. */
function isWritable({ kind, text }: SourceEntry): boolean {
  return text !== undefined && SOURCES.find((source) => source.kind === kind)?.writable === "file";
}

function isFile({ path, text }: SourceEntry, wanted: string): boolean {
  return path === wanted && text !== undefined;
}

/** The absolute paths, each once; a file of the policy under the policy's own path. */
function namedPaths(
  names: readonly string[],
  { entries, runtime, location }: {
    entries: readonly SourceEntry[];
    runtime: Runtime;
    location: PolicyLocation;
  },
): readonly string[] {
  const style = pathStyle(location.platform);
  const reals = new Map(
    entries.flatMap(({ path, text }) =>
      text === undefined ? [] : [[runtime.realPath(path) ?? path, path] as const]
    ),
  );
  const paths = names.map((name) => {
    const path = style.absolute(name, location.cwd);
    if (runtime.stat(path) === undefined) {
      const message = `Cannot read "${name}": there is no such file`;
      throw new FileError(message, { path, fault: "not-found" });
    }
    return reals.get(runtime.realPath(path) ?? path) ?? path;
  });
  return [...new Set(paths)];
}

/** A file outside the policy's sources, read as if it were the project's. */
function entryOf(path: string, runtime: Runtime): SourceEntry {
  const text = runtime.readText(path).replace(/^\ufeff/, "");
  return { kind: "project", path, state: "read", text, file: decodePolicy(text), trusted: true };
}
