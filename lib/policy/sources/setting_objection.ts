import type { Notice, RuleSource, SourceEntry } from "../../model/rule.ts";
import { ignored } from "./entry_text.ts";

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
