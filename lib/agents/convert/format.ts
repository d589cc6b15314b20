import type { Action } from "../../model/action.ts";
import type { WrittenHook } from "../../model/hook.ts";
import type { Loss } from "../../model/loss.ts";
import type { Span } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { FileSettings, ModeName } from "../../model/settings.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";

/** A rule in caliban's own words. */
export interface FormatRule {
  /** Its pattern. */
  readonly pattern: string;
  /** What it says. */
  readonly action: Action;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** When it ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** Where what it was made of stands in the text that was read. */
  readonly span?: Span;
}

/** What a file of another agent says. */
export interface FormatReading {
  /** Its rules in the order in which caliban tries them: the first that fits decides. */
  readonly rules: readonly FormatRule[];
  /** The mode that it starts in, where that means the same here. */
  readonly defaultMode?: ModeName;
  /** The hooks that it has in the shape of ours, in the order of the text; absent where it has none. */
  readonly hooks?: readonly WrittenHook[];
  /** What could not be kept. */
  readonly losses: readonly Loss[];
  /** What cannot be read. With an error among them nothing else counts. */
  readonly problems: readonly Problem[];
}

/** What is known to whoever writes rules for another agent. */
export interface WriteContext {
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
  /** The settings that count beside the rules. */
  readonly settings: FileSettings;
  /** The hooks that run beside the rules. */
  readonly hooks?: readonly WrittenHook[];
  /** Whether a rule may decide a call that a stricter one fits too; false only where it surely does not. */
  readonly mayMeet: (first: FormatRule, stricter: FormatRule) => boolean;
}

/** Rules in the words of another agent. */
export interface FormatWriting {
  /** The whole text of a file, ending in a newline. */
  readonly text: string;
  /** What could not be kept. */
  readonly losses: readonly Loss[];
}

/** A rule file of another agent. Pure: texts in, texts out. */
export interface Format {
  /** Its word on the command line. */
  readonly name: string;
  /** What it is, for people: `Claude Code settings.json`. */
  readonly title: string;
  /** What holds for every rule of it and is therefore no loss; one sentence without a final full stop. */
  readonly caveat: string;
  /** Whether a file is of this format, by its path and what stands in it. */
  readonly detect: (path: string, text: string) => boolean;
  /** Reads a file, without its byte order mark; absent when that is not possible. Total. */
  readonly read?: (text: string, path: string) => FormatReading;
  /** Whether what is written has the hooks too; else they are lost. */
  readonly keepsHooks?: true;
  /** Writes rules, highest first. Total. */
  readonly write: (rules: readonly FormatRule[], context: WriteContext) => FormatWriting;
}
