import { foldCase } from "../../pattern/unicode.ts";
import {
  foldGlob,
  type Glob,
  globsOverlap,
  type GlobToken,
  parseGlob,
} from "../../pattern/glob.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { Request } from "./request.ts";

const STAR: GlobToken = { kind: "star" };

/**
 * True if a file name glob of a command line (`*.ts`, `src/*`) may name a file that a deny or ask rule fits. Errs towards
 * true, but for hidden files: a shell's wildcard does not match a leading dot.
 */
export function globMayName(
  glob: string,
  { specifier, request, context }: {
    specifier: Specifier;
    request: Pick<Request, "cwd">;
    context: PathContext | undefined;
  },
): boolean {
  const tests: readonly ValueTest[] = specifier.kind === "argument"
    ? [specifier.test]
    : specifier.kind === "fields"
    ? specifier.fields.filter(({ negated }) => !negated).map(({ test }) => test)
    : [];
  const operand = operandGlob(glob, { cwd: request.cwd, home: context?.home[0] });
  if (!operand) return true;
  return tests.some((test) => {
    if (test.kind !== "path") return true;
    if (isHidden(test.pattern) && /(?:^|\/)[*?[]/.test(lastSegment(glob))) return false;
    return ruleGlobs(test.pattern, context).some((rule) => globsOverlap(foldGlob(rule), operand));
  });
}

/** The glob as one over absolute paths, folded; undefined where it cannot be read. */
function operandGlob(
  glob: string,
  { cwd, home }: { cwd: string; home: string | undefined },
): Glob | undefined {
  if (/(?:^|\/)\.\.(?:\/|$)/.test(glob)) return undefined;
  const plain = glob.replace(/(^|\/)(?:\.\/)+/g, "$1").replace(/\/{2,}/g, "/");
  const whole = plain.startsWith("/")
    ? plain
    : plain.startsWith("~/")
    ? home === undefined ? undefined : escaped(home) + plain.slice(1)
    : `${escaped(cwd)}/${plain}`;
  const parsed = whole === undefined ? undefined : parseGlob(whole);
  return parsed?.ok ? parsed.value.map(foldToken) : undefined;
}

function escaped(path: string): string {
  return path.replace(/[\\*?]/g, "\\$&");
}

function foldToken(token: GlobToken): GlobToken {
  return token.kind === "text" ? { kind: "text", text: foldCase(token.text) } : token;
}

function lastSegment(glob: string): string {
  return glob.slice(glob.lastIndexOf("/") + 1);
}

/** True if every name that a pattern fits begins with a dot: `**\/.env`, `.git`. */
function isHidden({ glob }: PathPattern): boolean {
  const last = glob.at(-1);
  if (last?.kind !== "text") return false;
  const name = last.text.slice(last.text.lastIndexOf("/") + 1);
  const begins = last.text.includes("/") || glob.length === 1 || glob.at(-2)?.kind === "globstar";
  return begins && name.startsWith(".");
}

/** String globs over absolute paths that fit at least what the pattern fits, with everything below. */
function ruleGlobs({ base, glob }: PathPattern, context: PathContext | undefined): readonly Glob[] {
  const rest = stringGlob(glob);
  const starts: readonly Glob[] = base === "root"
    ? [[text("/")]]
    : base === "home"
    ? folderGlobs(context?.home)
    : base === "workspace"
    ? folderGlobs(context?.workspace)
    : [[STAR]];
  return starts.flatMap((start) => [
    joined([...start, ...rest]),
    joined([...start, ...rest, text("/"), STAR]),
  ]);
}

function folderGlobs(folders: readonly string[] | undefined): readonly Glob[] {
  return folders === undefined || folders.length === 0
    ? [[STAR]]
    : folders.map((folder) => [text(`${folder.replace(/\/$/, "")}/`)]);
}

/** Wildcards may cross slashes here, and alternatives are any text: more is named, never less. */
function stringGlob(glob: PathGlob): Glob {
  return glob.map((node) =>
    node.kind === "text" ? text(node.text) : node.kind === "anyChar" ? { kind: "anyChar" } : STAR
  );
}

function text(value: string): GlobToken {
  return { kind: "text", text: value };
}

/** Neighbouring texts and runs as one. */
function joined(tokens: Glob): Glob {
  const glob: GlobToken[] = [];
  for (const token of tokens) {
    const last = glob.at(-1);
    if (token.kind === "text" && token.text === "") continue;
    if (last?.kind === "text" && token.kind === "text") {
      glob[glob.length - 1] = text(last.text + token.text);
    } else if (!(last?.kind === "star" && token.kind === "star")) glob.push(token);
  }
  return glob;
}
