import type { Glob } from "./glob.ts";
import type { PathPattern } from "./path/path_pattern.ts";

/** What a value is compared with. */
export type ValueTest =
  /** A string glob over the whole text. */
  | { readonly kind: "text"; readonly glob: Glob }
  /**
   * A string glob over a command: `whole`, `prefix` (`git push:*`: the glob, or the glob, a space and anything), or
   * `inside` (`~rm -rf`: somewhere in it).
   */
  | {
    readonly kind: "command";
    readonly anchor: "whole" | "prefix" | "contains";
    readonly glob: Glob;
  }
  /** A path. */
  | { readonly kind: "path"; readonly pattern: PathPattern }
  /** A URL; the text of the pattern, cut up when it is compiled. */
  | { readonly kind: "url"; readonly glob: Glob }
  /** `domain:host`: that host or a subdomain of it; normalised. */
  | { readonly kind: "domain"; readonly host: string };

/** One `key=glob` or `key!=glob` of a field list. */
export interface FieldTest {
  /** Dotted path into the input. */
  readonly key: string;
  /** Whether it is `!=`. */
  readonly negated: boolean;
  /** Whether the field is the tool's first argument, in any of its spellings. */
  readonly first: boolean;
  /** What the field is compared with. */
  readonly test: ValueTest;
}

/** What a pattern says about a tool's input. */
export type Specifier =
  /** No spec, or `*`: any input. */
  | { readonly kind: "any" }
  /** The first argument. */
  | { readonly kind: "argument"; readonly test: ValueTest }
  /** Every field of the list must fit; at least one. */
  | { readonly kind: "fields"; readonly fields: readonly FieldTest[] };

/**
 * A pattern's own syntax, before it is known which tools it speaks of:
 *
 * ```text
 * pattern = tool | tool ":" spec | tool "(" spec ")"
 * ```
 */
export interface Pattern {
  /** A glob over the tool's name. */
  readonly tool: Glob;
  /** The text of the spec; absent for a pattern without one and for `*`. */
  readonly specifier?: string;
  /** How the spec was written; only the paren form knows the prefix form `:*`. */
  readonly form: "colon" | "paren";
}
