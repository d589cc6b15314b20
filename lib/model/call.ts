/**
 * A tool call, and the closed sets of names, each once: types, decoders, schemas and help texts follow from these arrays.
 *
 * @module
 */
import type { VerdictBy } from "./verdict.ts";

/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of JSON values, such as the input of a tool. */
export interface JsonObject {
  /** The member of that name. */
  readonly [key: string]: Json;
}

/** A tool call that an agent wants to make. */
export interface ToolCall {
  /** The tool's name, case-sensitive: `Bash`, `mcp__github__create_issue`. */
  readonly tool: string;
  /** The tool's arguments. */
  readonly input: JsonObject;
  /** The absolute path of the folder that the call runs in; by default that of the policy. */
  readonly cwd?: string;
}

/** The actions, strictest first. */
export const ACTIONS = ["deny", "ask", "allow"] as const;

/** The action of a rule on a call: run it, refuse it, or ask a person. */
export type Action = typeof ACTIONS[number];

/** True if `text` is an action; case-sensitive. */
export function isAction(text: string): text is Action {
  return ACTIONS.some((action) => action === text);
}

/** The strictness of an action: 0 for allow, 1 for ask, 2 for deny. */
export function strictness(action: Action): 0 | 1 | 2 {
  switch (action) {
    case "allow":
      return 0;
    case "ask":
      return 1;
    case "deny":
      return 2;
  }
}

/** An action with its origin. */
export interface RankedAction {
  readonly action: Action;
  readonly by: VerdictBy;
}

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

/** The classes of commands, by what they do; the order is that of display. */
export const COMMAND_CLASSES = [
  "read",
  "edit",
  "repository",
  "project",
  "fetch",
  "service-read",
  "delete",
  "install",
  "process",
  "code",
  "service",
  "secret",
  "system",
  "unknown",
] as const;

/** One of `COMMAND_CLASSES`; `lib/README.md` says what each is. */
export type CommandClass = typeof COMMAND_CLASSES[number];

/** True if `text` is the name of a class of commands. */
export function isCommandClass(text: string): text is CommandClass {
  return COMMAND_CLASSES.some((name) => name === text);
}

/**
 * The shells of command tools. `posix`: bash or zsh, and the quoting of `sh`; the next three are certain; `other` is no POSIX
 * shell (PowerShell, cmd).
 */
export const TOOL_SHELLS = ["posix", "bash", "zsh", "sh", "other"] as const;

/** The shell of a command tool. */
export type ToolShell = typeof TOOL_SHELLS[number];

/** The readings of a shell command: by its effects, or as one string. */
export const SHELL_MODES = ["parsed", "literal"] as const;

/** A reading of shell commands. */
export type ShellMode = typeof SHELL_MODES[number];

/** The answers of hooks to a call that no written rule matches. */
export const UNMATCHED = ["ask", "agent"] as const;

/** `ask`: the built-in rules answer. `agent`: the agent decides alone. */
export type Unmatched = typeof UNMATCHED[number];

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

/** The fields of a tool that searches files. */
export interface SearchFields {
  /** The field with the folder or file to search; without it, a call searches its cwd. */
  readonly path: string;
  /** The field with a glob over the names of the files, if there is one. */
  readonly glob?: string;
  /** Set if it only lists the names of files. */
  readonly lists?: true;
}

/** The properties of a tool. */
export interface ToolProfile {
  /** The tool's name. */
  readonly name: string;
  /** Dotted paths of the first argument: its name and other spellings. Empty if the tool has none, absent if unknown. */
  readonly firstArg?: readonly string[];
  /** The kind of the first argument. */
  readonly kind: ToolKind;
  /** The class; absent if unknown. */
  readonly class?: ToolClass;
  /** The shell of a command tool; absent for `posix`. Lines of `other` (PowerShell, cmd) are not parsed. */
  readonly shell?: Exclude<ToolShell, "posix">;
  /** The names of further input fields that a field list may use. */
  readonly fields: readonly string[];
  readonly searches?: SearchFields;
  /** The tool that this is another name of: the rules of both hold for its calls. */
  readonly aliasOf?: string;
  /**
   * Set if a workspace that is not trusted describes the tool: of another tool only deny and ask rules hold, and every key of
   * the input is read.
   */
  readonly isUntrusted?: true;
}

/** A `[tools.NAME]` table, as far as its keys are present. */
export interface ToolOverride {
  /** The dotted path of the first argument. */
  readonly firstArg?: string;
  readonly kind?: ToolKind;
  readonly class?: ToolClass;
  /** The shell of a command tool. */
  readonly shell?: ToolShell;
  /** The tool of the defaults that this is another name of. */
  readonly aliasOf?: string;
  /** Set if the table's workspace is not trusted: it may make verdicts stricter only. */
  readonly isUntrusted?: true;
}

/** The call of a tool with this first argument; undefined if the tool has none. */
export function callOf({ name, firstArg }: ToolProfile, text: string): ToolCall | undefined {
  const first = firstArg?.[0];
  return first === undefined ? undefined : { tool: name, input: { [first]: text } };
}
