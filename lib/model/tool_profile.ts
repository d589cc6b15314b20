import type { ToolCall } from "./call.ts";
import type { TOOL_SHELLS, ToolClass, ToolKind } from "./names.ts";

/** The fields of a tool that searches files. */
export interface SearchFields {
  /** The field with the folder or file to search; without it, a call searches its cwd. */
  readonly path: string;
  /** The field with a glob over the names of the files, if there is one. */
  readonly glob?: string;
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
  /** Set for a command tool of another than a POSIX shell (PowerShell, cmd), whose lines are not parsed. */
  readonly shell?: "other";
  /** The names of further input fields that a field list may use. */
  readonly fields: readonly string[];
  readonly searches?: SearchFields;
}

/** A `[tools.NAME]` table, as far as its keys are present. */
export interface ToolOverride {
  /** The dotted path of the first argument. */
  readonly firstArg?: string;
  readonly kind?: ToolKind;
  readonly class?: ToolClass;
  /** The shell of a command tool. */
  readonly shell?: typeof TOOL_SHELLS[number];
}

/** The call of a tool with this first argument; undefined if the tool has none. */
export function callOf({ name, firstArg }: ToolProfile, text: string): ToolCall | undefined {
  const first = firstArg?.[0];
  return first === undefined ? undefined : { tool: name, input: { [first]: text } };
}
