/**
 * The kinds of place a rule can stand in. Their priority is the order of the registry in `lib/policy/sources/registry.ts`, and
 * nothing else.
 */
export type SourceKind =
  | "managed"
  | "session"
  | "command"
  | "cli"
  | "flag"
  | "local"
  | "project"
  | "user"
  | "builtin";

/** Where one rule stands. */
export interface RuleSource {
  /** The kind of source. */
  readonly kind: SourceKind;
  /** The file's path, the flag (`--allow`), or `defaults/permissions.toml` for the built-in rules. */
  readonly path: string;
  /** Line, from 1; for a flag the number of its place among the rule flags. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;
}
