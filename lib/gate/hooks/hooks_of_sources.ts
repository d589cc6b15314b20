import type { PlacedHook } from "../../model/hook.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { SourceEntry } from "../../model/source_entry.ts";
import { isUntrusted, sourceAt, usableFile } from "../../policy/sources/entry_text.ts";
import type { HooksText } from "./read_hooks.ts";

/** The hooks of all sources. */
export interface SourceHooks {
  /** Those that count, highest source first, in each in the order of the text. */
  readonly hooks: readonly PlacedHook[];
  /** Those of a workspace that is not trusted: they do not run. */
  readonly untrusted: readonly PlacedHook[];
  /** Everything wrong about them, those that do not count too. */
  readonly problems: readonly FileProblem[];
}

/** Reads the `[hooks]` of every file among the sources. They add up: no source switches off another's hooks. */
export function hooksOfSources(entries: readonly SourceEntry[]): SourceHooks {
  // What is wrong in a file is among the problems of the policy already.
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

/** What a text says about hooks, with the file that it is from. */
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
