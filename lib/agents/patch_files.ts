/** A line of a patch that names a file; what applies patches heeds no blanks before it. */
const NAMES_FILE = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to):(.*)$/is;

/**
 * The files that a patch in the form of Codex (`*** Update File: x`) writes, each once; empty for a text in which none is
 * named. Every line that looks like such a header counts, also one inside a hunk.
 */
export function patchFiles(patch: string): readonly string[] {
  const paths = patch.split("\n").flatMap((line) => {
    const path = NAMES_FILE.exec(line)?.[1]?.trim();
    return path === undefined || path === "" ? [] : [path];
  });
  return [...new Set(paths)];
}
