import { readFileSync, statSync } from "node:fs";
import { commitOf } from "../lib/io/runtime/own_program.ts";

/** The flags of `bun build` that put the commit of a clone into what it builds; none where it has no commit. */
export function commitFlags(root: string): readonly string[] {
  const commit = commitOf({
    platform: "linux",
    readText: (path) => readFileSync(path, "utf8"),
    stat: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ? "file" : undefined,
  }, root.replace(/\/$/, ""));
  return commit === undefined ? [] : ["--define", `CALIBAN_COMMIT=${JSON.stringify(commit)}`];
}
