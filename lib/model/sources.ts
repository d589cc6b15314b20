import type { RuleSource } from "./rule.ts";
import type { PolicyFile, WrittenRule } from "./policy_file.ts";
import type { ToolOverride } from "./tool_profile.ts";
import type { FileProblem } from "./problem.ts";
import type { ModeName, ShellMode, SourceKind } from "./names.ts";

/** One source of rules, present or not. */
export interface SourceEntry {
  readonly kind: SourceKind;
  /** The absolute path of the file, the flag's name (`--allow`), or `defaults/permissions.toml`. */
  readonly path: string;
  /** `absent`: not found. `off`: a flag turned the source off. */
  readonly state: "read" | "absent" | "off";
  /** For people: the reason why it is absent or off (`--no-user`), unless obvious. */
  readonly note?: string;
  /** The whole text of the file, without a byte order mark; absent unless `state` is `read`. */
  readonly text?: string;
  /** The content of the file; absent unless `state` is `read`. */
  readonly file?: PolicyFile;
  /** The rules of a source without a file (a flag, session, command, builtin). */
  readonly rules?: readonly PlacedRule[];
  /** True if the files of the workspace are trusted in their current state; always true outside the workspace. */
  readonly trusted: boolean;
  /**
   * The repository below the file's folder in which the search for a workspace began. The file does not belong to it, so its
   * allow rules and default mode need trust. Absent for a workspace that was named.
   */
  readonly repository?: string;
}

/** A rule of a file or flag, with its source. */
export interface PlacedRule extends WrittenRule {
  readonly source: RuleSource;
  /** The text that its spans point into. */
  readonly text: string;
}

/** The merged settings of all sources. */
export interface Settings {
  /** The default mode and its place; absent if no file sets it. */
  readonly defaultMode?: { readonly value: ModeName; readonly source: RuleSource };
  /** True to refuse bypassPermissions and --no-permissions; with its place. */
  readonly enforce?: { readonly value: boolean; readonly source: RuleSource };
  /** True if gates and hooks append decisions to the audit log; with its place. Absent if no file sets it. */
  readonly auditLog?: { readonly value: boolean; readonly source: RuleSource };
  /** The reading of shell commands. */
  readonly shell: ShellMode;
  /** The first words of commands that run the words behind them and need no allow rule (`[shell] wrappers`). */
  readonly wrappers: readonly string[];
  /** True if expired rules do not count. */
  readonly enforceExpiry: boolean;
  /** True if only the allow rules of managed files count. */
  readonly managedOnly: boolean;
}

/** A notice for people about a part of a source that does not count. */
export interface Notice {
  /** `untrusted`: counts only after `caliban trust`. `ignored`: does not count in this kind of source. */
  readonly id: "untrusted" | "ignored";
  /** One sentence without a final full stop. */
  readonly message: string;
  readonly source: RuleSource;
}

/** All sources merged, before patterns are compiled. */
export interface MergedSources {
  /** All sources, highest priority first. */
  readonly entries: readonly SourceEntry[];
  /** The rules that count, highest priority first. */
  readonly rules: readonly PlacedRule[];
  readonly settings: Settings;
  /** The `[tools.NAME]` tables that count, merged key by key. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  readonly notices: readonly Notice[];
  /** The errors and warnings of all files. */
  readonly problems: readonly FileProblem[];
}
