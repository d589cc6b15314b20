import type { FileProblem } from "../../model/problem.ts";
import type { PlacedHook, SourceEntry } from "../../model/rule.ts";
import { isUntrusted, sourceAt, usableFile } from "../../policy/sources/entry_text.ts";
import type { HooksText } from "./read_hooks.ts";

/** The hooks of all sources. */
export interface SourceHooks {
  /** The hooks that count: highest source first, those of a source in the order of its text. */
  readonly hooks: readonly PlacedHook[];
  /** The hooks of an untrusted workspace: they do not run. */
  readonly untrusted: readonly PlacedHook[];
  /** The problems of all hooks, those that do not count included. */
  readonly problems: readonly FileProblem[];
}

/** Collects the `[hooks]` of every file among the sources. No source switches off another's hooks. */
export function hooksOfSources(entries: readonly SourceEntry[]): SourceHooks {
  // The problems of a file are among those of the policy already.
  const read = entries.map((entry) => {
    const hooks = usableFile(entry)?.hooks ?? [];
    return { entry, ...placedHooks({ hooks, problems: [] }, entry) };
  });
  return {
    hooks: read.flatMap(({ entry, hooks }) => isUntrusted(entry) ? [] : hooks),
    untrusted: read.flatMap(({ entry, hooks }) => isUntrusted(entry) ? hooks : []),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The hooks of a text, with their file. */
export function placedHooks(
  { hooks, problems }: HooksText,
  entry: Pick<SourceEntry, "kind" | "path" | "trusted" | "text" | "state">,
): Pick<SourceHooks, "hooks" | "problems"> {
  const { path, text = "" } = entry;
  return {
    hooks: hooks.map((hook) => ({ ...hook, source: sourceAt(entry, hook.command.span), text })),
    problems: problems.map((problem) => ({ ...problem, path, text })),
  };
}
