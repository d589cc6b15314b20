import type { JsonObject } from "../../model/call.ts";
import type { AgentName } from "../registry.ts";

/** The place and form of hooks in an agent's settings. */
export interface AgentSettings extends TextEdits {
  /** The path of the file below the home (`user`) or the project folder, as segments. */
  path(scope: SettingsScope): readonly string[];
  /** The variable whose folder replaces the first segment of the user's path; absent when there is none. */
  readonly homeVariable?: string;
  /** Further steps for a person, one sentence each. */
  readonly notes: readonly string[];
  /** An event that the agent could send about a shell command: `doctor` tries the installed hook with it. */
  sample(command: SampleCommand): SampleEvent;
}

/** The edits of a settings file. */
export interface TextEdits {
  /** Returns the text with the hook in it. Throws SettingsFault when the text cannot be read. */
  install(text: string | undefined, hook: InstalledHook): string;
  /** Returns the text without our hooks; undefined when nothing else is left. Throws SettingsFault. */
  uninstall(text: string): string | undefined;
  /** Returns our command lines in a text, each once. Throws SettingsFault. */
  commands(text: string): readonly string[];
  /** Returns the name of the setting that switches every hook off; undefined for none. Throws SettingsFault. */
  offBy?(text: string): string | undefined;
}

/** The owner of the settings: a person, or a project in its git. */
export type SettingsScope = "user" | "project";

/** The hook that is written into settings. */
export interface InstalledHook {
  /** The command line, for a POSIX shell. */
  readonly command: string;
}

/** A shell command in a folder, which is the project's too. */
export interface SampleCommand {
  readonly command: string;
  /** An absolute path. */
  readonly folder: string;
}

/** An event as an agent sends it. */
export interface SampleEvent {
  readonly event: JsonObject;
  /** The variables that the agent sets for its hooks. */
  readonly env: Readonly<Record<string, string>>;
}

/** A sample in the form of Claude Code's events. `variable` gets the project folder. */
export function claudeSample(
  tool: string,
  { variable, ...more }: JsonObject & { readonly variable?: string } = {},
): AgentSettings["sample"] {
  return ({ command, folder }) => ({
    event: {
      session_id: "caliban",
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: { command },
      ...more,
    },
    env: variable === undefined ? {} : { [variable]: folder },
  });
}

/** True if `hook install` wrote this command line for this agent. */
export function isOwnCommand(command: string, agent: AgentName): boolean {
  return /caliban/.test(command) && new RegExp(`\\bhook ${agent}(?![\\w-])`).test(command);
}

/** The error for an agent's settings that cannot be read; they stay as they are. */
export class SettingsFault extends Error {
  override readonly name = "SettingsFault";
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;

  /** `message` is a clause without a full stop. */
  constructor(message: string, at: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = at.line;
    this.column = at.column;
  }
}
