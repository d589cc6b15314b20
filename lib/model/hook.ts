import type { Located, Span } from "./place.ts";
import type { RuleSource } from "./source.ts";

/** The moments at which hooks run, in the order in which a session meets them. */
export const HOOK_EVENTS = [
  "SessionStart",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "Stop",
] as const;

/** The name of a moment at which hooks run. */
export type HookEventName = typeof HOOK_EVENTS[number];

/** What is asked of a hook. */
export const HOOK_TYPES = ["command"] as const;

/** One hook as a file has it, before its matcher is parsed. */
export interface WrittenHook {
  /** When it runs. */
  readonly event: HookEventName;
  /** The tools that it is for, as a regular expression; absent or empty for all. */
  readonly matcher?: Located<string>;
  /** The command line that the shell is given. */
  readonly command: Located<string>;
  /** Where the hook stands: its table. */
  readonly span: Span;
}

/** A written hook together with its source. */
export interface PlacedHook extends WrittenHook {
  /** Where its command stands. */
  readonly source: RuleSource;
  /** The text its spans point into, for excerpts. */
  readonly text: string;
}
