import type { RuleSource, SourceKind } from "./source.ts";
import type { ModeName, PolicyFile, ShellMode, WrittenRule } from "./settings.ts";
import type { ToolOverride } from "./tool_profile.ts";
import type { FileProblem } from "./problem.ts";

/** One place that was looked at for rules. */
export interface SourceEntry {
  /** The kind of source. */
  readonly kind: SourceKind;
  /** Absolute path of the file; a flag's name (`--allow`), or `defaults/permissions.toml`. */
  readonly path: string;
  /** `read`; `absent`: looked for and not there; `off`: a flag turned the source off. */
  readonly state: "read" | "absent" | "off";
  /** For people: why it is absent or off (`--no-user`), where that is not plain. */
  readonly note?: string;
  /** The file's whole text, without a byte order mark; absent unless `state` is `read`. */
  readonly text?: string;
  /** What the file says; absent unless `state` is `read`. */
  readonly file?: PolicyFile;
  /** The rules of a place that is no file (a flag, session, command, builtin), instead of `file`. */
  readonly rules?: readonly PlacedRule[];
  /** Whether the workspace's files are trusted as they now are; always true outside the workspace. */
  readonly trusted: boolean;
  /**
   * For a file of a workspace that was found, not named: the repository below its folder that the search began in. The
   * file is not of that repository then, so that its allow rules and start mode need trust.
   */
  readonly repository?: string;
}

/** A written rule together with its source. */
export interface PlacedRule extends WrittenRule {
  /** Where it stands. */
  readonly source: RuleSource;
  /** The text its spans point into, for excerpts. */
  readonly text: string;
}

/** The settings of all sources together. */
export interface Settings {
  /** The start mode that files ask for, and where; absent when none does. */
  readonly defaultMode?: { readonly value: ModeName; readonly source: RuleSource };
  /** Whether bypass and --no-permissions are refused, and where that stands. */
  readonly enforce?: { readonly value: boolean; readonly source: RuleSource };
  /** Whether gates and hooks append decisions to the audit log, and where that stands; absent when nothing says so. */
  readonly auditLog?: { readonly value: boolean; readonly source: RuleSource };
  /** How commands are read. */
  readonly shell: ShellMode;
  /** Beginnings of commands that run what follows and need no allow rule of their own (`[shell] wrappers`). */
  readonly wrappers: readonly string[];
  /** Whether expired rules no longer count. */
  readonly enforceExpiry: boolean;
  /** Whether only managed allow rules count. */
  readonly managedOnly: boolean;
}

/** Something that a person should know about the sources: what did not count, and why. */
export interface Notice {
  /** `untrusted`: counts only after `caliban trust`. `ignored`: does not count in this kind of source. */
  readonly id: "untrusted" | "ignored";
  /** One sentence without a final full stop. */
  readonly message: string;
  /** Where it stands. */
  readonly source: RuleSource;
}

/** All sources merged into one, before any pattern is compiled. */
export interface MergedSources {
  /** Every place that was looked at, highest first. */
  readonly entries: readonly SourceEntry[];
  /** The rules that count, highest first. */
  readonly rules: readonly PlacedRule[];
  /** The settings that count. */
  readonly settings: Settings;
  /** The `[tools.NAME]` tables that count, merged key by key, highest first. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  /** What did not count. */
  readonly notices: readonly Notice[];
  /** Everything wrong in the files that were read, errors and warnings. */
  readonly problems: readonly FileProblem[];
}
