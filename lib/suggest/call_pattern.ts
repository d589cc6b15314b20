import type { Json } from "../model/call.ts";
import { type Glob, literalGlob, printGlob } from "../pattern/glob.ts";
import type { PathForm } from "../pattern/path/call_path.ts";
import { printPathGlob } from "../pattern/path/path_glob.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import { DEFAULT_PORTS } from "../pattern/url/call_url.ts";
import type { Request } from "../policy/compile/request.ts";

/**
 * The narrowest pattern that matches a call: its exact command, path or URL; its plain fields if the tool's first argument
 * is unknown; the tool alone if it takes nothing to compare. Undefined if no pattern can express it.
 */
export function exactPattern(request: Request): string | undefined {
  const { first, profile } = request;
  const tool = literalGlob(request.call.tool);
  switch (first.state) {
    case "text":
      return first.text.trim() === "" ? undefined : exactFirst(tool, { request, text: first.text });
    case "none":
    case "missing":
      return fieldPattern(tool, request) ?? printGlob(tool);
    case "unknown":
      return profile.firstArg === undefined ? exactFields(tool, request) : undefined;
  }
}

function exactFirst(
  tool: Glob,
  { request, text }: { request: Request; text: string },
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
      return exactPath(tool, { request, text });
    case "url":
      return exactUrl(tool, { request, text });
  }
}

/** One path, or both in braces if a link gives it two names: an allow rule must match each. */
function exactPath(
  tool: Glob,
  { request, text }: { request: Request; text: string },
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
  { request, text }: { request: Request; text: string },
): string | undefined {
  const url = request.url(text);
  if (!url.ok) return undefined;
  const port = url.port === (DEFAULT_PORTS[url.scheme] ?? "") ? "" : `:${url.port}`;
  return `${printGlob(tool)}:${url.scheme}://${url.host}${port}${printGlob(literalGlob(url.path))}`;
}

/** As `fieldPattern`, the tool alone for an empty input; undefined if no value of the input can be written in a pattern. */
function exactFields(tool: Glob, request: Request): string | undefined {
  const isEmpty = Object.keys(request.call.input).length === 0;
  return isEmpty ? printGlob(tool) : fieldPattern(tool, request);
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

/** Programs whose arguments are programs or code: only the whole command determines what runs. */
const RUNNERS = new Set(
  ("sudo doas su env nice nohup time timeout stdbuf setsid chroot xargs watch command builtin exec eval sh bash dash zsh " +
    "ksh fish ssh docker podman kubectl python python3 node deno bun npx bunx ruby perl php find make npm pnpm yarn tee dd")
    .split(" "),
);

/**
 * A pattern for “always”: the program and its sub-command (`Bash(git push:*)`), never broader; the exact call for anything
 * else. It always matches the call. Undefined if no pattern can express it.
 */
export function narrowPattern(request: Request): string | undefined {
  const { first, profile } = request;
  if (first.state !== "text" || profile.kind !== "command" || profile.shell === "other") {
    return exactPattern(request);
  }
  const effects = request.parsedLine?.effects ?? [];
  const [effect] = effects;
  const text = effect?.allowTexts[0]?.text;
  if (effects.length !== 1 || effect?.kind !== "command" || text === undefined) {
    return exactPattern(request);
  }
  const [program, sub] = text.split(" ");
  if (program === undefined || program !== effect.name || RUNNERS.has(program)) {
    return exactPattern(request);
  }
  if (!/^[a-z][a-z0-9._+-]*$/i.test(program)) return exactPattern(request);
  const named = sub !== undefined && /^[a-z][a-z0-9-]*$/.test(sub)
    ? `${program} ${sub}`
    : undefined;
  if (sub !== undefined && named === undefined) return exactPattern(request);
  return `${request.call.tool}(${named ?? program}:*)`;
}
