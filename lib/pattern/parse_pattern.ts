/**
 * The grammar of patterns (ABNF, RFC 5234; `glob`, `path` and `url` run to the end of what holds them):
 *
 * ```text
 * pattern   = tool / tool ":" spec / tool "(" spec ")"
 * tool      = glob                         ; over the tool's name, no ":" and no "("
 * spec      = "*"                          ; the same as no spec
 *           / "~" glob                     ; command tools: somewhere in the command
 *           / field *( "," field )         ; every field must fit
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
import { failed, onlyText, type Parsed, parsed, parseGlob, printGlob } from "./glob.ts";
import type { Pattern } from "./pattern.ts";

/** Longer patterns are refused, in UTF-16 code units. */
export const MAX_PATTERN = 16_384;

/**
 * Reads a pattern's syntax. What its spec means depends on the tool: `parseSpec`.
 *
 * Fails on what can fit nothing: no tool name, an unclosed paren, text behind it, an empty spec.
 */
export function parsePattern(text: string): Parsed<Pattern> {
  if (text.length > MAX_PATTERN) return failed(0, `longer than ${MAX_PATTERN} characters`);
  const control = text.search(CONTROL);
  if (control >= 0) return failed(control, "a control character", "patterns are one line of text");
  if (!text.isWellFormed()) return failed(0, "not well-formed Unicode");
  const cut = text.search(/[:(]/);
  const name = cut < 0 ? text : text.slice(0, cut);
  const tool = parseTool(name);
  if (!tool.ok) return tool;
  if (cut < 0) return parsed({ tool: tool.value, form: "colon" });
  if (text[cut] === ":") {
    return withSpec({ tool: tool.value, form: "colon" }, {
      spec: text.slice(cut + 1),
      at: cut + 1,
    });
  }
  const close = text.lastIndexOf(")");
  if (close < cut) return failed(text.length, 'missing ")"', `write ${name}(…)`);
  if (close !== text.length - 1) return failed(close + 1, 'text behind ")"');
  return withSpec({ tool: tool.value, form: "paren" }, {
    spec: text.slice(cut + 1, close),
    at: cut + 1,
  });
}

// A command may hold newlines and tabs, and a rule its identical line.
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

function parseTool(name: string): Parsed<Pattern["tool"]> {
  if (name.trim() === "") return failed(0, "missing tool name", "write * for every tool");
  const space = name.search(/\s/);
  if (space >= 0) {
    return failed(
      space,
      "a tool's name has no white space",
      `write ${name.trim().split(/\s/)[0]}:… for its argument`,
    );
  }
  const odd = name.search(/[)=,{}[\]"'`;&|<>]/);
  if (odd >= 0) return failed(odd, `a tool's name has no ${name[odd]}`);
  return parseGlob(name);
}

function withSpec(pattern: Pattern, { spec, at }: { spec: string; at: number }): Parsed<Pattern> {
  if (spec.trim() === "") {
    return failed(at, "the spec is empty", `write ${printGlob(pattern.tool)} alone for any input`);
  }
  return parsed(
    spec === "*" ? { tool: pattern.tool, form: "colon" } : { ...pattern, specifier: spec },
  );
}

/** The tool's name when the pattern speaks of exactly one; undefined when it has wildcards. */
export function namedTool(pattern: Pattern): string | undefined {
  return onlyText(pattern.tool);
}
