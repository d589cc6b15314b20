import type { FileProblem, Span } from "../../model/problem.ts";
import type { Notice, PlacedRule, PolicyFile, RuleSource, SourceEntry } from "../../model/rule.ts";
import type { SourceKind } from "../../model/call.ts";

/** The contents of an entry's file; undefined if it was not read or has an error. */
export function usableFile(entry: SourceEntry): PolicyFile | undefined {
  const { state, file } = entry;
  if (state !== "read" || file === undefined) return undefined;
  return file.problems.some((problem) => problem.severity === "error") ? undefined : file;
}

/** An entry's rules with their source; none for a file that has an error. */
export function placedRules(entry: SourceEntry): readonly PlacedRule[] {
  if (entry.state !== "read") return [];
  if (entry.rules !== undefined) return entry.rules;
  const text = entry.text ?? "";
  return (usableFile(entry)?.rules ?? [])
    .map((rule) => ({ ...rule, source: sourceAt(entry, rule.span), text }));
}

/** All problems of an entry's file. */
export function fileProblems(entry: SourceEntry): readonly FileProblem[] {
  const { path } = entry;
  const text = entry.linkedOut ? "" : entry.text ?? "";
  return (entry.file?.problems ?? []).map((problem) => ({ ...problem, path, text }));
}

/** A place in an entry's file. */
export function sourceAt(entry: SourceEntry, span: Span): RuleSource {
  return { kind: entry.kind, path: entry.path, line: span.line, column: span.column };
}

/** True if the entry is a workspace file that is not trusted. */
export function isUntrusted(entry: SourceEntry): boolean {
  return isWorkspaceFile(entry.kind) && !entry.trusted;
}

/** True if sources of this kind stand in the workspace. */
export function isWorkspaceFile(kind: SourceKind): boolean {
  return kind === "local" || kind === "project";
}

/** The name of a kind of source, for people. */
export function ownerOf(kind: SourceKind): string {
  switch (kind) {
    case "managed":
      return "the managed file";
    case "session":
      return "the session";
    case "command":
      return "the command";
    case "cli":
      return "the command line";
    case "flag":
      return "the rules file";
    case "local":
      return "the local file";
    case "project":
      return "the project";
    case "user":
      return "the user";
    case "builtin":
      return "the built-in rules";
  }
}

/**
 * The notice that a part of a workspace file needs trust: `[tools.Bash] of the project counts only after "caliban trust"`,
 * and `why`.
 */
export function untrusted(
  what: string,
  source: RuleSource,
  { why }: { readonly why?: string } = {},
): Notice {
  const counts = isPlural(what) ? "count" : "counts";
  const message = `${what} of ${ownerOf(source.kind)} ${counts} only after "caliban trust"`;
  return { id: "untrusted", message: why === undefined ? message : `${message}: ${why}`, source };
}

/** The notice that something does not count in this kind of source, and `why`. */
export function ignored(what: string, options: { source: RuleSource; why: string }): Notice {
  const does = isPlural(what) ? "do" : "does";
  const owner = ownerOf(options.source.kind);
  const message = `${what} of ${owner} ${does} not count: ${options.why}`;
  return { id: "ignored", message, source: options.source };
}

function isPlural(what: string): boolean {
  return /^(?!alias_of).*(?:rules|wrappers|variables|repositories|\[shell\.classes\])$/.test(what);
}

/** A value and its place. */
export interface Standing<T> {
  readonly value: T;
  readonly source: RuleSource;
}

/** Returns the notice of a value that does not count in its source; undefined if it counts. */
export type Objection<T> = (entry: SourceEntry, standing: Standing<T>) => Notice | undefined;

/** The objection to a setting outside of managed and user files. */
export function onlyAboveWorkspace(name: string): Objection<unknown> {
  return ({ kind }, { source }) => {
    const why = "it is read from managed and user files only";
    return kind === "managed" || kind === "user" ? undefined : ignored(name, { source, why });
  };
}
