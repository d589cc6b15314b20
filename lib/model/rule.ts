import type {
  Action,
  CommandClass,
  HookEventName,
  JsonObject,
  ModeName,
  ShellMode,
  SourceKind,
  ToolOverride,
  Unmatched,
} from "./call.ts";
import type { FileProblem, Located, Problem, Span } from "./problem.ts";

/** One rule of a policy. */
export interface Rule {
  /** The pattern as written. */
  readonly pattern: string;
  /** The action on calls that match the pattern. */
  readonly action: Action;
  /** The index among all rules of the policy. */
  readonly index: number;
  /** A text for people, in questions and explanations; never for the model. */
  readonly comment?: string;
  /** A text for the model; deny rules only. */
  readonly reason?: string;
  /** The expiry, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** The rule's place in a file or among the flags. */
  readonly source: RuleSource;
  /** Set in an untrusted workspace: its ask makes an answer stricter, and never stands in for a deny below it. */
  readonly untrusted?: true;
}

/** The place of one rule or setting. */
export interface RuleSource {
  /** The kind that decides the rule's priority. */
  readonly kind: SourceKind;
  /** The file's path, the flag (`--allow`), or `defaults/permissions.toml` for the built-in rules. */
  readonly path: string;
  /** The line, from 1; for a flag, its number among the rule flags. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

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
   * allow rules and default mode need trust even without `require_trust`. Absent for a workspace that was named.
   */
  readonly repository?: string;
  /** True if a link leads from the workspace to the file's text elsewhere, of which no message quotes anything. */
  readonly linkedOut?: boolean;
}

/** A rule of a file or flag, with its source. */
export interface PlacedRule extends WrittenRule {
  readonly source: RuleSource;
  /** Set for a rule of an untrusted workspace. */
  readonly untrusted?: true;
  /** The text that its spans point into. */
  readonly text: string;
}

/** The merged settings of all sources. */
export interface Settings {
  /** The default mode and its place; absent if no file sets it. */
  readonly defaultMode?: { readonly value: ModeName; readonly source: RuleSource };
  /** True to refuse bypassPermissions, dontAsk, --auto-allow and --no-permissions; with its place. */
  readonly enforce?: { readonly value: boolean; readonly source: RuleSource };
  /** True if gates and hooks append decisions to the audit log; with its place. Absent if no file sets it. */
  readonly auditLog?: { readonly value: boolean; readonly source: RuleSource };
  /** The reading of shell commands. */
  readonly shell: ShellMode;
  /** The first words of commands that run the words behind them and need no allow rule (`[shell] wrappers`). */
  readonly wrappers: readonly string[];
  /** Variables that may stand before a command with a plain word (`[shell] variables`). */
  readonly variables: readonly string[];
  /** The classes of one's own commands (`[shell.classes]`), those of the highest source first. */
  readonly classes: readonly OwnCommand[];
  /** The folders of repositories whose git is one's own (`[shell] repositories`). */
  readonly repositories: readonly string[];
  /** True if expired deny and ask rules do not count either; an expired allow never counts. */
  readonly enforceExpiry: boolean;
  /** True if only the allow rules of managed files count. */
  readonly managedOnly: boolean;
  /** `agent` if hooks leave a call without a written rule to the agent; with its place. Absent if no file sets it. */
  readonly unmatched?: { readonly value: "ask" | "agent"; readonly source: RuleSource };
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
  /** The allow rules that do not count; a pattern that cannot be used is an error there too. Absent if there are none. */
  readonly uncounted?: readonly PlacedRule[];
  readonly settings: Settings;
  /** The `[tools.NAME]` tables that count, merged key by key. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  /** The tables that count once every file is trusted, by which the patterns of such a file are checked; absent if the same. */
  readonly writtenTools?: ReadonlyMap<string, ToolOverride>;
  readonly notices: readonly Notice[];
  /** The errors and warnings of all files. */
  readonly problems: readonly FileProblem[];
}

/** The settings of one permissions.toml (`[permissions]` and `[shell]`), as far as they are present. */
export interface FileSettings {
  /** `default_mode` (or `defaultMode`). */
  readonly defaultMode?: Located<ModeName>;
  /** `enforce`: refuses bypassPermissions, dontAsk, --auto-allow and --no-permissions. */
  readonly enforce?: Located<boolean>;
  /** `shell`. */
  readonly shell?: Located<ShellMode>;
  /** `enforce_expiry`: ignores expired deny and ask rules, too. */
  readonly enforceExpiry?: Located<boolean>;
  /** `audit_log`. */
  readonly auditLog?: Located<boolean>;
  /** `require_trust`: false lets a project's allow rules and default mode count without trust. */
  readonly requireTrust?: Located<boolean>;
  /** `managed_only`: ignores allow rules except those of managed files. */
  readonly managedOnly?: Located<boolean>;
  /** `unmatched`: the answer of hooks to a call without a written rule. */
  readonly unmatched?: Located<Unmatched>;
  /** `wrappers` of `[shell]`: the first words of commands that run the words behind them and need no allow rule. */
  readonly wrappers?: Located<readonly Located<string>[]>;
  /** `variables` of `[shell]`: variables that may stand before a command with a plain word. */
  readonly variables?: Located<readonly Located<string>[]>;
  /** `repositories` of `[shell]`: folders of repositories whose git is one's own; managed and user files only. */
  readonly repositories?: Located<readonly Located<string>[]>;
  /** `[shell.classes]`: commands of programs without a table, and their classes. */
  readonly classes?: Located<readonly OwnClass[]>;
}

/** A command of `[shell.classes]`: literal words, perhaps with a final `*`. */
export interface OwnClass {
  readonly name: CommandClass;
  readonly command: Located<string>;
}

/** A command of `[shell.classes]` that counts. */
export interface OwnCommand {
  /** The class that it is given. */
  readonly name: CommandClass;
  /** Its literal words, perhaps with a final `*`. */
  readonly command: string;
  /** The place in the policy that gives it. */
  readonly source: RuleSource;
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
