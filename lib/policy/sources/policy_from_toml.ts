import type { SourceEntry } from "../../model/rule.ts";
import { normalPath } from "../../pattern/path/normal_path.ts";
import { appliesTo, compilePolicy } from "../compile/compile_policy.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import type { CompiledPolicy } from "../compile/compiled_policy.ts";
import { PolicyError } from "../decode/policy_error.ts";
import { DEFAULT_TOOLS } from "../compile/profiles.ts";
import { builtinRules } from "./source_order.ts";
import { mergeSources } from "./merge.ts";

/** Options of `policyFromToml`, all optional. */
export interface PolicyTextOptions {
  /** The name that rules show as their file; `permissions.toml` when left out. */
  readonly path?: string;
  /** The workspace's absolute path, which is the cwd of calls that name none; `/workspace` when left out. */
  readonly workspace?: string;
  /** The home folder's absolute path; not known when left out. */
  readonly home?: string;
  /** The platform; `linux` when left out. */
  readonly platform?: "linux" | "darwin" | "windows";
  /** Follows links, as `PathContext.realPath` does; without it only written paths count. */
  readonly realPath?: (path: string) => string | null;
  /**
   * Lists the entries of a folder; null if it is not there or cannot be read. The kind is that of the entry itself: a link is
   * not followed. Without it the files that a wildcard names are not looked up.
   */
  readonly listFolder?: (
    path: string,
  ) => readonly { readonly name: string; readonly kind: "folder" | "link" | "other" }[] | null;
  /**
   * True if the name of a program leads, by PATH, to a file outside of the workspace and of temporary folders. Without it only the
   * shell's own commands have classes. `mayLack`: true too for a name that PATH does not lead to, where none of its folders is in
   * the workspace or a temporary one.
   */
  readonly isSystemProgram?: (
    name: string,
    options?: { readonly mayLack?: boolean; readonly isDirect?: boolean },
  ) => boolean;
  /**
   * The git repository that a folder belongs to: `here` begins in it, `above` is around it and the workspace's own, any
   * other is `foreign`. Without it only the root of the workspace is known.
   */
  readonly gitRepository?: (folder: string) => "here" | "above" | "foreign";
  /**
   * The text of a file; null if none is there, undefined if it cannot be read. Without it a program that files of the workspace
   * may configure has no class.
   */
  readonly textOf?: (path: string) => string | null | undefined;
  /**
   * The repository whose configuration git reads in a folder; undefined where there is none. Without it every command of git is of
   * the class `code`.
   */
  readonly gitState?: (folder: string) => {
    /** The folder of its work tree. */
    readonly root: string;
    /** The reason why it is not one's own, or may run programs. */
    readonly why?: string;
    /** True for a submodule. */
    readonly isModule: boolean;
    /** The names of the hooks that it has; `any` if they are not known. */
    readonly hooks: readonly string[] | "any";
    /** True if its remotes, or the user's settings, may hold a password or token. */
    readonly mayHoldSecrets: boolean;
    /** True if by its settings a fetch may move or remove branches and tags. */
    readonly forcesFetch?: boolean;
    /** True for the name of a branch or tag of its own. */
    readonly hasName: (name: string) => boolean;
    /** The files that its index names, from its root; undefined if they are unknown. */
    readonly files: () => readonly string[] | undefined;
  } | undefined;
  /**
   * True if a program has everything that it needs in a folder, so that it downloads nothing; `look`: `bun`, `go`, `go-toolchain` or `golangci`. Without it
   * such a program is of the class `install`.
   */
  readonly hasPackages?: (look: string, folder: string) => boolean;
  /** `none` leaves the built-in rules out. */
  readonly builtin?: "none" | "included";
}

/** Compiles the text of one permissions.toml, with the built-in rules below it. Throws PolicyError. */
export function policyFromToml(text: string, options: PolicyTextOptions = {}): CompiledPolicy {
  const { path = "permissions.toml", workspace = "/workspace", platform = "linux" } = options;
  const body = text.replace(/^\ufeff/, "");
  const entries: readonly SourceEntry[] = [
    { kind: "project", path, state: "read", text: body, file: decodePolicy(body), trusted: true },
    ...(options.builtin === "none" ? [] : [builtinEntry(options)]),
  ];
  const merged = mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], appliesTo });
  const normal = (folder: string) => {
    const found = normalPath(folder, { platform, cwd: folder });
    if (!found.ok) throw new RangeError(`Cannot use the folder "${folder}": ${found.detail}`);
    return found.path;
  };
  const { policy, problems } = compilePolicy(merged, {
    context: {
      platform,
      workspace: [normal(workspace)],
      home: options.home === undefined ? [] : [normal(options.home)],
      ignoreCase: platform !== "linux",
      ...(options.realPath ? { realPath: options.realPath } : {}),
      ...(options.listFolder ? { listFolder: options.listFolder } : {}),
      ...(options.isSystemProgram ? { isSystemProgram: options.isSystemProgram } : {}),
      ...(options.gitState ? { gitState: options.gitState } : {}),
      ...(options.gitRepository ? { gitRepository: options.gitRepository } : {}),
      ...(options.textOf ? { textOf: options.textOf } : {}),
      ...(options.hasPackages ? { hasPackages: options.hasPackages } : {}),
    },
    cwd: workspace,
  });
  if (!policy) throw new PolicyError(problems);
  return policy;
}

function builtinEntry({ home }: PolicyTextOptions): SourceEntry {
  return {
    kind: "builtin",
    path: "defaults/permissions.toml",
    state: "read",
    rules: builtinRules(home),
    trusted: true,
  };
}
