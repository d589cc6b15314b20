/**
 * The closed sets of names, each once: types, decoders, schemas and help texts follow from these arrays. The actions are in
 * `action.ts`.
 *
 * @module
 */

/** The names of the modes, in the order in which they are cycled. */
export const MODE_NAMES = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
] as const;

/** One of `MODE_NAMES`. */
export type ModeName = typeof MODE_NAMES[number];

/** The kinds of first argument, which decide on the syntax and matching of patterns. */
export const TOOL_KINDS = ["command", "path", "url", "text"] as const;

/** The kind of a tool's first argument. */
export type ToolKind = typeof TOOL_KINDS[number];

/** The classes of tools, by their effect. Modes depend on them. */
export const TOOL_CLASSES = ["read", "edit", "execute", "network", "control"] as const;

/** The class that modes go by: reading, editing, executing, network, or control of the agent. */
export type ToolClass = typeof TOOL_CLASSES[number];

/** The shells of command tools: a POSIX shell, or another one (PowerShell, cmd). */
export const TOOL_SHELLS = ["posix", "other"] as const;

/** The readings of a shell command: by its effects, or as one string. */
export const SHELL_MODES = ["parsed", "literal"] as const;

/** A reading of shell commands. */
export type ShellMode = typeof SHELL_MODES[number];

/** The kinds of rule source. Their priority is the order of `SOURCES` in `lib/policy/sources/source_order.ts`. */
export const SOURCE_KINDS = [
  "managed",
  "session",
  "command",
  "cli",
  "flag",
  "local",
  "project",
  "user",
  "builtin",
] as const;

/** A kind of rule source. */
export type SourceKind = typeof SOURCE_KINDS[number];

/** The events that run hooks, in the order of a session. */
export const HOOK_EVENTS = [
  "SessionStart",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "Stop",
] as const;

/** An event that runs hooks. */
export type HookEventName = typeof HOOK_EVENTS[number];

export const HOOK_TYPES = ["command"] as const;
