import type { Json } from "../model/call.ts";
import { type Glob, literalGlob, printGlob } from "../pattern/glob.ts";
import { printPathGlob } from "../pattern/path/path_glob.ts";
import type { PathForm } from "../pattern/path/path_facts.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import { OWN_PORTS } from "../pattern/url/url_facts.ts";
import type { Request } from "../policy/compile/facts.ts";

/**
 * The narrowest pattern that fits a call: its command, path or URL to the letter; its plain fields for a tool whose first
 * argument is not known; the tool alone where there is nothing to compare. Undefined where no pattern can say it.
 */
export function exactPattern(request: Request): string | undefined {
  const { first, profile } = request;
  const tool = literalGlob(request.call.tool);
  switch (first.state) {
    case "text":
      return first.text.trim() === ""
        ? undefined
        : exactFirst(tool, { facts: request, text: first.text });
    case "none":
    case "missing":
      return fieldPattern(tool, request) ?? printGlob(tool);
    case "unknown":
      return profile.firstArg === undefined
        ? fieldPattern(tool, request) ?? printGlob(tool)
        : undefined;
  }
}

function exactFirst(
  tool: Glob,
  { facts: request, text }: { facts: Request; text: string },
): string | undefined {
  switch (request.profile.kind) {
    case "command":
      return printPattern(
        patternOf(tool, {
          kind: "argument",
          test: { kind: "command", anchor: "whole", glob: literalGlob(text) },
        }),
      );
    case "text":
      return printPattern(
        patternOf(tool, { kind: "argument", test: { kind: "text", glob: literalGlob(text) } }),
      );
    case "path":
      return exactPath(tool, { facts: request, text });
    case "url":
      return exactUrl(tool, { facts: request, text });
  }
}

/** One path, or, where a link gives it two names, both in braces: an allow rule must fit every one. */
function exactPath(
  tool: Glob,
  { facts: request, text }: { facts: Request; text: string },
): string | undefined {
  const path = request.path(text);
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

function exactUrl(
  tool: Glob,
  { facts: request, text }: { facts: Request; text: string },
): string | undefined {
  const url = request.url(text);
  if (!url.ok) return undefined;
  const port = url.port === (OWN_PORTS[url.scheme] ?? "") ? "" : `:${url.port}`;
  return `${printGlob(tool)}:${url.scheme}://${url.host}${port}${printGlob(literalGlob(url.path))}`;
}

/** A field list of the call's plain values; undefined when it has none. */
function fieldPattern(tool: Glob, request: Request): string | undefined {
  const fields = Object.entries(request.call.input).flatMap(([key, value]) => {
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
