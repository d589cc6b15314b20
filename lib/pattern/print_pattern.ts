import { type Glob, printGlob } from "./glob.ts";
import { printPathPattern } from "./path/path_pattern.ts";
import type { FieldTest, Pattern, Specifier, ValueTest } from "./pattern.ts";

/** The canonical text of a pattern: the colon form, but the paren form where only that can say it (`git push:*`). */
export function printPattern(pattern: Pattern): string {
  const tool = printGlob(pattern.tool);
  if (pattern.specifier === undefined) return tool;
  return pattern.form === "paren"
    ? `${tool}(${pattern.specifier})`
    : `${tool}:${pattern.specifier}`;
}

/** The pattern that says this about a tool's input; `parsePattern` and `parseSpec` read it back as the same. */
export function patternOf(tool: Glob, specifier: Specifier): Pattern {
  switch (specifier.kind) {
    case "any":
      return { tool, form: "colon" };
    case "argument":
      return {
        tool,
        specifier: printFirst(specifier.test),
        form: isPrefix(specifier.test) ? "paren" : "colon",
      };
    case "fields":
      return { tool, specifier: specifier.fields.map(printField).join(","), form: "colon" };
  }
}

function isPrefix(test: ValueTest): boolean {
  return test.kind === "command" && test.anchor === "prefix";
}

function printFirst(test: ValueTest): string {
  switch (test.kind) {
    case "text":
      return guarded(printGlob(test.glob).replace(/^~/, "\\$&"));
    case "url":
      return guarded(printGlob(test.glob).replace(/^(~|domain:)/, "\\$&"));
    case "path":
      // A lone `*` would be no spec at all; three stars are one star that is not.
      return guarded(printPathPattern(test.pattern).replace(/^\*$/, "***"));
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
      return guarded(text.replace(/^~/, "\\$&"));
    case "prefix":
      return `${guarded(text.replace(/^~/, "\\$&"))}:*`;
    case "contains":
      return `~${text}`;
  }
}

/** Text that would be read as a field list, or as nothing, has its first character escaped. */
function guarded(text: string): string {
  return guardedStart(text).replace(/(?<!\\)((?:\\\\)*)(\s)$/, "$1\\$2");
}

function guardedStart(text: string): string {
  return /^\s/.test(text) || /^[A-Za-z_][\w-]*(\.[\w-]+)*!?=/.test(text) ? `\\${text}` : text;
}

function printField(field: FieldTest): string {
  return `${field.key}${field.negated ? "!=" : "="}${printFieldTest(field)}`;
}

function printFieldTest({ test, first }: FieldTest): string {
  switch (test.kind) {
    case "path": {
      const text = printPathPattern(test.pattern);
      // A comma between braces must stay one, so the further key behind it is hidden instead.
      return (first || /^[/~.]/.test(text) ? text : `/${text}`)
        .replace(/(?<!\\)((?:\\\\)*),(?=[A-Za-z_][\w-]*(\.[\w-]+)*!?=)/g, "$1,\\");
    }
    case "text": {
      const text = printGlob(test.glob).replaceAll(",", "\\,");
      if (first) return text;
      return text.replace(/^(\/|\.\/|~\/)/, "\\$&").replace("://", "\\://");
    }
    case "command":
    case "url":
      return printGlob(test.glob).replaceAll(",", "\\,");
    case "domain":
      return test.host;
  }
}
