import type { WrittenHook } from "./hook.ts";
import type { Located, Span } from "./place.ts";
import type { ToolOverride } from "./tool_profile.ts";
import type { Action } from "./action.ts";
import type { Problem } from "./problem.ts";
import type { WrittenTest } from "./written_test.ts";

/** How the command of a shell tool is read: unit by unit, or as one string. */
export type ShellMode = "parsed" | "literal";

/** The names of the modes, in the order in which they are cycled. */
export type ModeName =
  | "default"
  | "acceptEdits"
  | "plan"
  | "auto"
  | "dontAsk"
  | "bypassPermissions";

/** The settings of one permissions.toml (`[permissions]` and `[shell]`); what the file does not say is absent. */
export interface FileSettings {
  /** `default_mode` (or `defaultMode`). */
  readonly defaultMode?: Located<ModeName>;
  /** `enforce`: bypass and --no-permissions are refused. */
  readonly enforce?: Located<boolean>;
  /** `shell`. */
  readonly shell?: Located<ShellMode>;
  /** `enforce_expiry`: an expired rule no longer counts. */
  readonly enforceExpiry?: Located<boolean>;
  /** `audit_log`. */
  readonly auditLog?: Located<boolean>;
  /** `require_trust`: a project's allow rules and default mode need trust. */
  readonly requireTrust?: Located<boolean>;
  /** `managed_only`: only the allow rules of managed files count. */
  readonly managedOnly?: Located<boolean>;
  /** `wrappers` of `[shell]`: beginnings of commands that run what follows and need no allow rule of their own. */
  readonly wrappers?: Located<readonly Located<string>[]>;
}

/** One rule as a file has it, before its pattern is parsed. */
export interface WrittenRule {
  /** The pattern's text, TOML escapes undone. */
  readonly pattern: Located<string>;
  /** What the rule says. */
  readonly action: Action;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** When the rule ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** Examples of what the pattern fits; only `lint` and `test` look at them. */
  readonly match?: readonly Located<string>[];
  /** Examples of what it does not fit. */
  readonly notMatch?: readonly Located<string>[];
  /** Where the rule stands: its table header, inline table, or string in a bucket. */
  readonly span: Span;
}

/** Which shape a file's rules have. `none` when it has no rules. */
export type FileShape = "canonical" | "buckets" | "rule-array" | "none";

/** Everything that one permissions.toml says. */
export interface PolicyFile {
  /** The shape of its rules. */
  readonly shape: FileShape;
  /** Its rules in the order in which they count. */
  readonly rules: readonly WrittenRule[];
  /** Its settings. */
  readonly settings: FileSettings;
  /** Its `[tools.NAME]` tables by tool name. */
  readonly tools: ReadonlyMap<string, Located<ToolOverride>>;
  /** Its hooks in the order of the text; their matchers are parsed by `compileHooks` only. */
  readonly hooks?: readonly WrittenHook[];
  /** Its policy tests in the order of the text; absent when it has none. */
  readonly tests?: readonly WrittenTest[];
  /** Everything wrong in it, in the order of the text. With an error among them, nothing else of the file counts. */
  readonly problems: readonly Problem[];
}
