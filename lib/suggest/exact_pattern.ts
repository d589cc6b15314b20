import type { Json } from "../model/call.ts";
import { type Glob, literalGlob, printGlob } from "../pattern/glob.ts";
import { printPathGlob } from "../pattern/path_glob.ts";
import type { PathForm } from "../pattern/path_facts.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import { OWN_PORTS } from "../pattern/url_facts.ts";
import type { Facts } from "../tools/facts.ts";

/**
 * The narrowest pattern that fits a call: its command, path or URL to the letter; its plain fields for a tool whose first
 * argument is not known; the tool alone where there is nothing to compare. Undefined where no pattern can say it.
 */
export function exactPattern(facts: Facts): string | undefined {
  const { first, profile } = facts;
  const tool = literalGlob(facts.call.tool);
  switch (first.state) {
    case "text":
      return first.text.trim() === "" ? undefined : exactFirst(tool, { facts, text: first.text });
    case "none":
    case "missing":
      return fieldPattern(tool, facts) ?? printGlob(tool);
    case "unknown":
      return profile.firstArg === undefined
        ? fieldPattern(tool, facts) ?? printGlob(tool)
        : undefined;
  }
}

function exactFirst(
  tool: Glob,
  { facts, text }: { facts: Facts; text: string },
): string | undefined {
  switch (facts.profile.kind) {
    case "command":
      return printPattern(
        patternOf(tool, {
          kind: "first",
          test: { kind: "command", reach: "whole", glob: literalGlob(text) },
        }),
      );
    case "text":
      return printPattern(
        patternOf(tool, { kind: "first", test: { kind: "text", glob: literalGlob(text) } }),
      );
    case "path":
      return exactPath(tool, { facts, text });
    case "url":
      return exactUrl(tool, { facts, text });
  }
}

/** One path, or, where a link gives it two names, both in braces: an allow rule must fit every one. */
function exactPath(
  tool: Glob,
  { facts, text }: { facts: Facts; text: string },
): string | undefined {
  const path = facts.path(text);
  if (!path.ok) return undefined;
  const names = [...new Set(path.forms.map(nameOf))];
  const roots = [...new Set(path.forms.map((form) => escaped(form.root)))];
  const name = names.length === 1 ? names[0]! : `/{${roots.join(",")}}`;
  return `${printGlob(tool)}:${name}`;
}

function nameOf(form: PathForm): string {
  if (form.workspace) return `./${escaped(form.workspace)}`;
  if (form.home) return `~/${escaped(form.home)}`;
  return /^[A-Z]:\//.test(form.root) ? escaped(form.root) : `/${escaped(form.root)}`;
}

function escaped(path: string): string {
  return path === "" ? "" : printPathGlob([{ kind: "text", text: path }]);
}

function exactUrl(tool: Glob, { facts, text }: { facts: Facts; text: string }): string | undefined {
  const url = facts.url(text);
  if (!url.ok) return undefined;
  const port = url.port === (OWN_PORTS[url.scheme] ?? "") ? "" : `:${url.port}`;
  return `${printGlob(tool)}:${url.scheme}://${url.host}${port}${printGlob(literalGlob(url.path))}`;
}

/** A field list of the call's plain values; undefined when it has none. */
function fieldPattern(tool: Glob, facts: Facts): string | undefined {
  const fields = Object.entries(facts.call.input).flatMap(([key, value]) => {
    const text = plainText(value);
    return text === undefined || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)
      ? []
      : [`${key}=${fieldGlob(text)}`];
  });
  return fields.length === 0 ? undefined : `${printGlob(tool)}:${fields.join(",")}`;
}

function plainText(value: Json): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean"
    ? JSON.stringify(value)
    : undefined;
}

function fieldGlob(text: string): string {
  return printGlob(literalGlob(text)).replaceAll(",", "\\,");
}
