import { literalGlob, printGlob } from "../pattern/glob.ts";
import { printPathGlob } from "../pattern/path_glob.ts";
import type { Facts } from "../tools/facts.ts";

/** More folders above a file than these are not looked at: a deeper one is narrow enough. */
const MOST = 12;

/**
 * Patterns for the folders that a call's file stands in, the narrowest first: `Edit:src/a/**`, `Edit:src/**`. Never the
 * whole workspace; empty for a file at its top or outside of it, and where a link gives it two names.
 */
export function folderPatterns(facts: Facts): readonly string[] {
  const { first, profile } = facts;
  if (profile.kind !== "path" || first.state !== "text") return [];
  const path = facts.path(first.text);
  if (!path.ok) return [];
  const names = new Set(path.forms.map(({ workspace }) => workspace));
  const [name] = names;
  if (names.size !== 1 || name === undefined) return [];
  const folders = name.split("/").slice(0, -1);
  const tool = printGlob(literalGlob(facts.call.tool));
  return folders.map((_, at) => `${tool}:${folderGlob(folders.slice(0, folders.length - at))}`)
    .slice(0, MOST);
}

function folderGlob(folders: readonly string[]): string {
  const text = `${printPathGlob([{ kind: "text", text: folders.join("/") }])}/**`;
  // What else a pattern could begin with has a meaning of its own: `~`, `!`, a key and `=`.
  return /^[\w.][\w.-]*\//.test(text) ? text : `./${text}`;
}
