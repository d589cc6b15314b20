import type { ModeName, ShellMode } from "../../model/settings.ts";
import type { ToolClass, ToolKind, ToolOverride } from "../../model/tool_profile.ts";

/** The kinds of table in a permissions.toml: the file itself, `[permissions]`, `[shell]`, one rule, one `[tools.NAME]`. */
export type Place = "file" | "permissions" | "shell" | "rule" | "tool";

/** The lists of the older shape, in the order in which their rules count. */
export const BUCKETS = ["deny", "ask", "allow"] as const;

/** The keys that each kind of table may have; a name of today comes before its older spelling. */
export const KEYS: Readonly<Record<Place, readonly string[]>> = {
  file: ["permissions", "shell", "rule", "tools", "hooks"],
  permissions: [
    "default_mode",
    "defaultMode",
    "enforce",
    "shell",
    "enforce_expiry",
    "audit_log",
    "require_trust",
    "managed_only",
    "rules",
    "tests",
    ...BUCKETS,
  ],
  rule: ["pattern", "tool", "action", "comment", "reason", "expires_at", "match", "not_match"],
  shell: ["wrappers"],
  tool: ["first_arg", "kind", "class", "shell"],
};

/** The keys among them that are read, but not offered to anyone who mistypes one. */
export const OLDER_KEYS: readonly string[] = ["rule", "defaultMode", "tool"];

/** Where the keys of a kind of table belong, for a message. */
export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  file: "at the top of the file, not under [permissions] or in a rule",
  permissions: "under [permissions], above the rules",
  shell: "in the [shell] table",
  rule: "in a [[permissions.rules]] table",
  tool: "in a [tools.NAME] table",
};

/** The modes that `default_mode` may name. */
export const MODES: readonly ModeName[] = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
];

/** What `shell` may say. */
export const SHELL_MODES: readonly ShellMode[] = ["parsed", "literal"];

/** What `kind` may say. */
export const TOOL_KINDS: readonly ToolKind[] = ["command", "path", "url", "text"];

/** What `class` may say. */
export const TOOL_CLASSES: readonly ToolClass[] = ["read", "edit", "execute", "network", "control"];

/** What `shell` of a tool may say. */
export const TOOL_SHELLS: readonly NonNullable<ToolOverride["shell"]>[] = ["posix", "other"];

/** A dotted path into a tool's input; the source of a regular expression, anchored. */
export const FIRST_ARG_PATTERN = "^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$";

const WORD = "[A-Za-z0-9._+][A-Za-z0-9._+-]*";

/** One to four plain words, none an option, with a space between; the source of a regular expression, anchored. */
export const WRAPPER_PATTERN = `^${WORD}(?: ${WORD}){0,3}$`;
