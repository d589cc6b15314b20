import { type Glob, printGlob } from "./glob.ts";
import { printPathPattern } from "./path_pattern.ts";
import type { FieldTest, Pattern, Spec, ValueTest } from "./pattern.ts";

/** The canonical text of a pattern: the colon form, but the paren form where only that can say it (`git push:*`). */
export function printPattern(pattern: Pattern): string {
  const tool = printGlob(pattern.tool);
  if (pattern.spec === undefined) return tool;
  return pattern.form === "paren" ? `${tool}(${pattern.spec})` : `${tool}:${pattern.spec}`;
}

/** The pattern that says this about a tool's input; `parsePattern` and `parseSpec` read it back as the same. */
export function patternOf(tool: Glob, spec: Spec): Pattern {
  switch (spec.kind) {
    case "any":
      return { tool, form: "colon" };
    case "first":
      return { tool, spec: printFirst(spec.test), form: isPrefix(spec.test) ? "paren" : "colon" };
    case "fields":
      return { tool, spec: spec.fields.map(printField).join(","), form: "colon" };
  }
}

function isPrefix(test: ValueTest): boolean {
  return test.kind === "command" && test.reach === "prefix";
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
  switch (test.reach) {
    case "whole":
      return guarded(text.replace(/^~/, "\\$&"));
    case "prefix":
      return `${guarded(text.replace(/^~/, "\\$&"))}:*`;
    case "inside":
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
