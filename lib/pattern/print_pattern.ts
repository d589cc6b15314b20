import type { ToolProfile } from "../model/call.ts";
import { type Glob, onlyText, printGlob } from "./glob.ts";
import { parseSpecifier } from "./parse_specifier.ts";
import { printPathPattern } from "./path/path_pattern.ts";
import {
  type FieldTest,
  parsePattern,
  type Pattern,
  type Specifier,
  type ValueTest,
} from "./parse_pattern.ts";

/** The canonical text of a pattern: the colon form, or the paren form if only that can express it (`git push:*`). */
export function printPattern(pattern: Pattern): string {
  const tool = printGlob(pattern.tool);
  if (pattern.specifier === undefined) return tool;
  return pattern.form === "paren"
    ? `${tool}(${pattern.specifier})`
    : `${tool}:${pattern.specifier}`;
}

/** The pattern of a specifier; `parsePattern` and `parseSpecifier` turn its text into the same. */
export function patternOf(tool: Glob, specifier: Specifier): Pattern {
  switch (specifier.kind) {
    case "any":
      return { tool, form: "colon" };
    case "class":
      return { tool, specifier: `@${specifier.name}`, form: "paren" };
    case "argument":
      return {
        tool,
        specifier: printArgument(specifier.test),
        form: isPrefix(specifier.test) ? "paren" : "colon",
      };
    case "fields":
      return { tool, specifier: specifier.fields.map(printField).join(","), form: "colon" };
  }
}

/**
 * The one text of every spelling of a pattern: `Bash(git *)` and `Bash:git *` share one. With `profiles` the specifier of a
 * single named tool is normalized as that tool reads it. Patterns with the same text match the same calls. A text that is
 * no pattern stays as it is.
 */
export function canonicalText(
  written: string | Pattern,
  profiles?: { readonly get: (tool: string) => ToolProfile },
): string {
  if (typeof written === "string") {
    const read = parsePattern(written);
    return read.ok ? canonicalText(read.value, profiles) : written;
  }
  const name = onlyText(written.tool);
  const specifier = name === undefined || profiles === undefined
    ? undefined
    : parseSpecifier(written, profiles.get(name));
  if (specifier?.ok) return printPattern(patternOf(written.tool, specifier.value));
  // Only the prefix form `:*` tells the two forms apart.
  const isPrefixForm = written.form === "paren" && written.specifier?.endsWith(":*");
  return printPattern({ ...written, form: isPrefixForm ? "paren" : "colon" });
}

function isPrefix(test: ValueTest): boolean {
  return test.kind === "command" && test.anchor === "prefix";
}

function printArgument(test: ValueTest): string {
  switch (test.kind) {
    case "text":
      return escapeEdges(printGlob(test.glob).replace(/^~/, "\\$&"));
    case "url":
      return escapeEdges(printGlob(test.glob).replace(/^(~|domain:)/, "\\$&"));
    case "path":
      // A lone `*` would mean no specifier; three stars mean one star.
      return escapeEdges(printPathPattern(test.pattern).replace(/^\*$/, "***"));
    case "domain":
      return `domain:${test.host}`;
    case "command":
      return printCommand(test);
  }
}

function printCommand(test: Extract<ValueTest, { kind: "command" }>): string {
  const text = printGlob(test.glob);
  switch (test.anchor) {
    case "whole":
      return escapeEdges(escapeMark(text));
    case "prefix":
      return `${escapeEdges(escapeMark(text))}:*`;
    case "contains":
      return `~${text}`;
  }
}

/** Escapes a first character that would make another kind of specifier. */
function escapeMark(text: string): string {
  return text[0] === "~" || text[0] === "@" ? `\\${text}` : text;
}

/** Escapes blanks at the edges and the start of a text that looks like a field list. */
function escapeEdges(text: string): string {
  // Most texts have neither, and no expression is compiled for them.
  if (text.trim() === text && !text.includes("=")) return text;
  return escapeStart(text).replace(/(?<!\\)((?:\\\\)*)(\s)$/, "$1\\$2");
}

function escapeStart(text: string): string {
  return /^\s/.test(text) || /^[A-Za-z_][\w-]*(\.[\w-]+)*!?=/.test(text) ? `\\${text}` : text;
}

function printField(field: FieldTest): string {
  return `${field.key}${field.negated ? "!=" : "="}${printFieldTest(field)}`;
}

function printFieldTest({ test, isArgument }: FieldTest): string {
  switch (test.kind) {
    case "path": {
      const text = printPathPattern(test.pattern);
      // A comma between braces must stay one, so the seeming key behind it is escaped instead.
      return (isArgument || /^[/~.]/.test(text) ? text : `/${text}`)
        .replace(/(?<!\\)((?:\\\\)*),(?=[A-Za-z_][\w-]*(\.[\w-]+)*!?=)/g, "$1,\\");
    }
    case "text": {
      const text = printGlob(test.glob).replaceAll(",", "\\,");
      if (isArgument) return text;
      return text.replace(/^(\/|\.\/|~\/)/, "\\$&").replace("://", "\\://");
    }
    case "command":
    case "url":
      return printGlob(test.glob).replaceAll(",", "\\,");
    case "domain":
      return test.host;
  }
}
