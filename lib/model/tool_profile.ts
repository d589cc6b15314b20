/** How a tool's patterns match its first argument. */
export type ToolKind = "command" | "path" | "url" | "text";

/** What a tool does, for the modes. */
export type ToolClass = "read" | "edit" | "execute" | "network" | "control";

/** How a tool's arguments name files that it searches. */
export interface SearchFields {
  /** The field with the folder or file to search; the call's cwd when the call leaves it out. */
  readonly path: string;
  /** The field with a glob over the names of files that are read, if there is one. */
  readonly glob?: string;
}

/** What the policy knows about a tool. */
export interface ToolProfile {
  /** The tool's name. */
  readonly name: string;
  /**
   * Dotted paths of the first argument: its name and its other spellings. Empty when the tool is known to have none;
   * absent when nothing is known.
   */
  readonly firstArg?: readonly string[];
  /** How patterns match the first argument. */
  readonly kind: ToolKind;
  /** What the tool does; absent when nothing is known. */
  readonly class?: ToolClass;
  /** Set for a command tool whose lines are no POSIX shell's (PowerShell, cmd), so that they are not taken apart. */
  readonly shell?: "other";
  /** Names of the input fields, besides the first argument, that a field list may speak of. */
  readonly fields: readonly string[];
  /** Set for tools that search below a folder. */
  readonly searches?: SearchFields;
}

/** A `[tools.NAME]` table as a file has it: only what it says. */
export interface ToolOverride {
  /** Dotted path of the first argument. */
  readonly firstArg?: string;
  /** How patterns match it. */
  readonly kind?: ToolKind;
  /** What the tool does. */
  readonly class?: ToolClass;
  /** Whose lines a command tool takes: a POSIX shell's, or those of another shell (PowerShell, cmd). */
  readonly shell?: "posix" | "other";
}
