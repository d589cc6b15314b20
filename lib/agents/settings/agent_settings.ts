import type { Json, JsonObject } from "../../model/call.ts";
import type { AgentName } from "../registry.ts";
import type { HookSwitches, PlacedHook, ReadFile } from "./hook_switches.ts";

/** The place and form of hooks in an agent's settings. */
export interface AgentSettings extends TextEdits {
  /** The path of the file below the home (`user`) or the project folder, as segments. */
  path(scope: SettingsScope): readonly string[];
  /** The variable whose folder replaces the first segment of the user's path; absent when there is none. */
  readonly homeVariable?: string;
  /** False if the agent reads no settings of a project: `path("project")` then leads to nothing. */
  readonly readsProject?: false;
  /** The settings of an organization, which a person's and a project's cannot take away; absent where the agent has none. */
  readonly managed?: ManagedSettings;
  /** The files and members that can leave calls unguarded; absent where none is known. */
  readonly switches?: HookSwitches;
  /**
   * The record of a person's trust in an installed hook, for an agent that passes over an untrusted one; undefined where it
   * needs no trust. `file` is the settings file of the hook.
   */
  trust?(files: readonly ReadFile[], hook: PlacedHook, file: Json): HookTrust | undefined;
  /** Further steps for a person, one sentence each. */
  readonly notes: readonly string[];
  /** An event that the agent could send about a shell command: `doctor` tries the installed hook with it. */
  sample(command: SampleCommand): SampleEvent;
}

/** An agent's record that a person trusts a hook. */
export interface HookTrust {
  /** The hexadecimal SHA-256 that is recorded; absent where there is no record. */
  readonly trusted?: string;
  /** The text whose hash the agent compares with the record. */
  readonly definition: string;
  /** The step for a person, a clause. */
  readonly remedy: string;
}

/** The edits of a settings file. */
export interface TextEdits {
  /** Returns the text with the hook in it. Throws SettingsFault when the text cannot be read. */
  install(text: string | undefined, hook: InstalledHook): string;
  /** Returns the text without our hooks; undefined when nothing else is left. Throws SettingsFault. */
  uninstall(text: string): string | undefined;
  /** Returns our command lines in a text, each once. Throws SettingsFault. */
  commands(text: string): readonly string[];
  /** Returns every command line that has our hook in it, also those of somebody else. Throws SettingsFault. */
  mentions(text: string): readonly string[];
  /** The text of a file with nothing in it; null for a file that is ours as a whole, in whose place another one may have been. */
  readonly empty: string | null;
}

/** An agent's settings that belong to the administrator of the machine. */
export interface ManagedSettings extends TextEdits {
  /** The folder by platform, absolute; a platform without one has no managed settings. */
  readonly folder: { readonly linux?: string; readonly darwin?: string };
  /** The file below the folder, as segments. */
  readonly path: readonly string[];
  /** The variable that names the file itself, which then counts instead. */
  readonly variable?: string;
}

/** The owner of the settings: a person, or a project in its git. */
export type SettingsScope = "user" | "project";

/** The owner of any settings that a hook can stand in. */
export type PlaceScope = SettingsScope | "managed";

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

/** True if a command line has caliban's hook for this agent in it: it can be somebody else's. */
export function namesHook(command: string, agent: AgentName): boolean {
  return /caliban/.test(command) && new RegExp(`\\bhook ${agent}(?![\\w-])`).test(command);
}

/** The most lines of ours in one file; each costs a reading of the whole. */
const MOST_LINES = 50;

/** The command lines, each once. Throws SettingsFault for more than a person could have installed. */
export function eachOnce(commands: readonly string[]): readonly string[] {
  requireFew(commands.length);
  return [...new Set(commands)];
}

/** Throws SettingsFault for a number of lines that is more than a person could have installed. */
export function requireFew(lines: number): void {
  if (lines <= MOST_LINES) return;
  const message = `it has more than ${MOST_LINES} lines of caliban; take them out`;
  throw new SettingsFault(message, { line: 1, column: 1 });
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
