import type { Span } from "../../model/place.ts";
import type { PolicyFile } from "../../model/settings.ts";
import type { RuleSource, SourceKind } from "../../model/source.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { PlacedRule, SourceEntry } from "../../model/source_entry.ts";

/** What a file says that can be used: nothing when it was not read or has an error. */
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

/** Everything wrong in an entry's file. */
export function fileProblems(entry: SourceEntry): readonly FileProblem[] {
  const { path, text = "" } = entry;
  return (entry.file?.problems ?? []).map((problem) => ({ ...problem, path, text }));
}

/** A place in an entry's file. */
export function sourceAt(entry: SourceEntry, span: Span): RuleSource {
  return { kind: entry.kind, path: entry.path, line: span.line, column: span.column };
}

/** Whether the entry is a file of the workspace whose trust was not given. */
export function isUntrusted(entry: SourceEntry): boolean {
  return isWorkspaceFile(entry.kind) && !entry.trusted;
}

/** Whether sources of this kind stand in the workspace. */
export function isWorkspaceFile(kind: SourceKind): boolean {
  return kind === "local" || kind === "project";
}

/** What people call a source of this kind. */
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
