/**
 * The grammar of patterns (ABNF, RFC 5234; `glob`, `path` and `url` extend to the end of their context):
 *
 * ```text
 * pattern   = tool / tool ":" specifier / tool "(" specifier ")"
 * tool      = glob                         ; over the tool's name, no ":" and no "("
 * specifier = "*"                          ; the same as no specifier
 *           / "~" glob                     ; command tools: anywhere in the command
 *           / "@" class                    ; command tools: commands of the class
 *           / field *( "," field )         ; every field must match
 *           / "domain:" host               ; url tools
 *           / glob ":*"                    ; command tools, paren form: the prefix form
 *           / glob / path / url            ; the first argument, by the tool's kind
 * field     = key ( "=" / "!=" ) ( glob / path / url )
 * key       = name *( "." name )
 * name      = 1*( ALPHA / DIGIT / "_" / "-" )   ; the first begins with a letter or "_"
 * glob      = *( "*" / "?" / "\" char / char )
 * path      = [ "/" / "~/" / "./" ] *( "*" / "**" / "?" / "[" [ "!" ] 1*char "]" / "{" path *( "," path ) "}" / "\" char / char )
 * url       = glob                         ; an allow rule needs scheme "://" host
 * ```
 *
 * @module
 */

import { failed, type Glob, onlyText, type Parsed, parsed, parseGlob, printGlob } from "./glob.ts";
import { COMMAND_CLASSES, type CommandClass, isCommandClass } from "../model/call.ts";
import { nearest } from "../text/did_you_mean.ts";
import type { PathPattern } from "./path/path_pattern.ts";

export type ValueTest =
  /** A string glob over the whole text. */
  | { readonly kind: "text"; readonly glob: Glob }
  /**
   * A string glob over a command: `whole`, `prefix` (`git push:*`: the glob, or the glob, a space and any text), or
   * `contains` (`~rm -rf`: anywhere in it).
   */
  | {
    readonly kind: "command";
    readonly anchor: "whole" | "prefix" | "contains";
    readonly glob: Glob;
  }
  /** A path. */
  | { readonly kind: "path"; readonly pattern: PathPattern }
  /** A URL; the text of the pattern, split when it is compiled. */
  | { readonly kind: "url"; readonly glob: Glob }
  /** `domain:host`: that host, in normal form, or a subdomain of it. */
  | { readonly kind: "domain"; readonly host: string };

/** One `key=glob` or `key!=glob` of a field list. */
export interface FieldTest {
  /** Dotted path into the input. */
  readonly key: string;
  /** True for `!=`. */
  readonly negated: boolean;
  /** True if the field is the tool's first argument, in any of its spellings. */
  readonly isArgument: boolean;
  /** The test of the field. */
  readonly test: ValueTest;
}

/** The condition of a pattern on a tool's input. */
export type Specifier =
  /** No specifier, or `*`: any input. */
  | { readonly kind: "any" }
  /** `@class`: commands of the class. */
  | { readonly kind: "class"; readonly name: CommandClass }
  /** The first argument. */
  | { readonly kind: "argument"; readonly test: ValueTest }
  /** Every field of the list must match; at least one. */
  | { readonly kind: "fields"; readonly fields: readonly FieldTest[] };

/**
 * The syntax of a pattern, independent of the tool:
 *
 * ```text
 * pattern = tool | tool ":" specifier | tool "(" specifier ")"
 * ```
 */
export interface Pattern {
  /** The glob over the tool's name. */
  readonly tool: Glob;
  /** The text of the specifier; absent for a pattern without one and for `*`. */
  readonly specifier?: string;
  /** The notation of the specifier; only the paren form has the prefix form `:*`. */
  readonly form: "colon" | "paren";
}

/** The longest pattern, in UTF-16 code units. */
const MAX_PATTERN = 16_384;

/**
 * Parses the syntax of a pattern. The meaning of its specifier depends on the tool: see `parseSpecifier`.
 *
 * Fails without a tool name, on an unclosed parenthesis, on text behind it and on an empty specifier.
 */
export function parsePattern(text: string): Parsed<Pattern> {
  if (text.length > MAX_PATTERN) return failed(0, `longer than ${MAX_PATTERN} characters`);
  const control = text.search(CONTROL);
  if (control >= 0) return failed(control, "a control character", "patterns are one line of text");
  if (!text.isWellFormed()) return failed(0, "not well-formed Unicode");
  const cut = specifierAt(text);
  const name = cut < 0 ? text : text.slice(0, cut);
  const tool = parseTool(name);
  if (!tool.ok) return tool;
  if (cut < 0) return parsed({ tool: tool.value, form: "colon" });
  if (text[cut] === ":") {
    return withSpecifier({ tool: tool.value, form: "colon" }, {
      specifier: text.slice(cut + 1),
      at: cut + 1,
    });
  }
  const close = text.lastIndexOf(")");
  if (close < cut) return failed(text.length, 'missing ")"', `write ${name}(…)`);
  if (close !== text.length - 1) return failed(close + 1, 'text after ")"');
  return withSpecifier({ tool: tool.value, form: "paren" }, {
    specifier: text.slice(cut + 1, close),
    at: cut + 1,
  });
}

// A command may contain newlines and tabs, and so may a rule for exactly this command.
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** The offset of the first colon or parenthesis; -1 without one. */
function specifierAt(text: string): number {
  const [colon, paren] = [text.indexOf(":"), text.indexOf("(")];
  return colon < 0 || paren >= 0 && paren < colon ? paren : colon;
}

/** A name without anything that a tool's name may not have. */
const PLAIN_TOOL = /^[\w*-]+$/;

function parseTool(name: string): Parsed<Pattern["tool"]> {
  if (PLAIN_TOOL.test(name)) return parseGlob(name);
  if (name.trim() === "") return failed(0, "missing tool name", "write * for every tool");
  const word = /^@([\w-]*)(?=\s|$)/.exec(name)?.[1];
  if (word !== undefined) return loneClass(word);
  const space = name.search(/\s/);
  if (space >= 0) {
    return failed(
      space,
      "a tool's name has no white space",
      `write ${name.trim().split(/\s/)[0]}:… for its argument`,
    );
  }
  const at = name.search(/[)=,{}[\]"'`;&|<>]/);
  if (at >= 0) return failed(at, `a tool's name has no ${name[at]}`);
  return parseGlob(name);
}

/** The failure of `@class` without a tool, which would match no command. */
function loneClass(word: string): Parsed<never> {
  const meant = isCommandClass(word) ? word : nearest(word, COMMAND_CLASSES) ?? "read";
  return failed(
    0,
    isCommandClass(word) ? `@${word} is a class, not a tool` : `there is no class "${word}"`,
    `write Bash(@${meant}) for commands of that class; \\@ for a tool of that name`,
  );
}

function withSpecifier(
  pattern: Pattern,
  { specifier, at }: { specifier: string; at: number },
): Parsed<Pattern> {
  if (specifier.trim() === "") {
    const hint = `write ${printGlob(pattern.tool)} alone for any input`;
    return failed(at, "the specifier is empty", hint);
  }
  return parsed(specifier === "*" ? { ...pattern, form: "colon" } : { ...pattern, specifier });
}

/** The name of the only tool that the pattern matches; undefined if it has wildcards. */
export function namedTool(pattern: Pattern): string | undefined {
  return onlyText(pattern.tool);
}
