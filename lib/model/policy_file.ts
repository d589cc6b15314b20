import type { Action } from "./action.ts";
import type { JsonObject } from "./call.ts";
import type { HookEventName, ModeName, ShellMode } from "./names.ts";
import type { Problem } from "./problem.ts";
import type { RuleSource } from "./rule.ts";
import type { Located, Span } from "./span.ts";
import type { ToolOverride } from "./tool_profile.ts";

/** The settings of one permissions.toml (`[permissions]` and `[shell]`), as far as they are present. */
export interface FileSettings {
  /** `default_mode` (or `defaultMode`). */
  readonly defaultMode?: Located<ModeName>;
  /** `enforce`: refuses bypassPermissions and --no-permissions. */
  readonly enforce?: Located<boolean>;
  /** `shell`. */
  readonly shell?: Located<ShellMode>;
  /** `enforce_expiry`: ignores expired rules. */
  readonly enforceExpiry?: Located<boolean>;
  /** `audit_log`. */
  readonly auditLog?: Located<boolean>;
  /** `require_trust`: requires trust for a project's allow rules and default mode. */
  readonly requireTrust?: Located<boolean>;
  /** `managed_only`: ignores allow rules except those of managed files. */
  readonly managedOnly?: Located<boolean>;
  /** `wrappers` of `[shell]`: the first words of commands that run the words behind them and need no allow rule. */
  readonly wrappers?: Located<readonly Located<string>[]>;
}

/** One rule of a file, its pattern not parsed yet. */
export interface WrittenRule {
  /** The text of the pattern, with TOML escapes decoded. */
  readonly pattern: Located<string>;
  readonly action: Action;
  /** A text for people. */
  readonly comment?: string;
  /** A text for the model; deny rules only. */
  readonly reason?: string;
  /** The expiry, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** Examples that match; for `lint` and `test` only. */
  readonly match?: readonly Located<string>[];
  /** Examples that do not match. */
  readonly notMatch?: readonly Located<string>[];
  /** Its table header, inline table, or string in a bucket. */
  readonly span: Span;
}

/** The notation of a file's rules; `none` without rules. */
export type FileShape = "canonical" | "buckets" | "rule-array" | "none";

/** The content of one permissions.toml. */
export interface PolicyFile {
  readonly shape: FileShape;
  /** Its rules, highest priority first. */
  readonly rules: readonly WrittenRule[];
  readonly settings: FileSettings;
  /** Its `[tools.NAME]` tables by tool name. */
  readonly tools: ReadonlyMap<string, Located<ToolOverride>>;
  /** Its hooks in the order of the text, their matchers not parsed yet. */
  readonly hooks?: readonly WrittenHook[];
  /** Its policy tests in the order of the text; absent if it has none. */
  readonly tests?: readonly WrittenTest[];
  /** Its problems in the order of the text. An error excludes the rest of the file. */
  readonly problems: readonly Problem[];
}

/** One hook of a file, its matcher not parsed yet. */
export interface WrittenHook {
  readonly event: HookEventName;
  /** A regular expression for tool names; absent or empty for all tools. */
  readonly matcher?: Located<string>;
  readonly command: Located<string>;
  readonly span: Span;
}

/** A hook with its source. */
export interface PlacedHook extends WrittenHook {
  /** The place of its command. */
  readonly source: RuleSource;
  /** The text that its spans point into. */
  readonly text: string;
}

/** The call of a policy test. */
export type WrittenCall =
  /** `"Bash:git push"`: the tool, a colon, and its first argument or, as `{"…": …}`, its whole input. */
  | {
    readonly form: "text";
    readonly tool: string;
    /** The text behind the colon; absent without a colon. */
    readonly text?: string;
    readonly span: Span;
  }
  /** `{ tool = "Write", input = { path = "x" }, cwd = "sub" }`. */
  | {
    readonly form: "table";
    readonly tool: string;
    readonly input: JsonObject;
    /** The folder it runs in, from the workspace. */
    readonly cwd?: string;
    readonly span: Span;
  };

/** One policy test of a file. */
export interface WrittenTest {
  readonly call: WrittenCall;
  readonly expect: Located<Action>;
  /** The mode; `default` if left out. */
  readonly mode?: ModeName;
  /** The pattern of the expected rule, `builtin` for any built-in rule, or `none`. */
  readonly rule?: Located<string>;
  /** A text for people. */
  readonly why?: string;
  /** Its table header or inline table. */
  readonly span: Span;
}
