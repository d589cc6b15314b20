import type { Request } from "./request.ts";
import { addSpelling, hashed } from "./rule_keys.ts";

/** Adds the hash of every name on the way to one of the files; false when one of the paths is malformed or not known. */
export function addNamesOf(
  request: Request,
  { paths, hashes }: {
    readonly paths: readonly string[];
    /** Absent where only the paths are looked at. */
    readonly hashes: number[] | undefined;
  },
): boolean {
  for (const text of paths) {
    const path = request.path(text);
    if (!path.ok) return false;
    if (hashes === undefined) continue;
    let isGiven = false;
    for (const { root } of path.forms) {
      isGiven ||= isSame(text, root);
      addSpelling(hashes, root);
    }
    if (!isGiven) addSpelling(hashes, text);
  }
  return true;
}

/** True for a path that is given as it is, as most are, so that its own names are among those of the root. */
function isSame(text: string, root: string): boolean {
  return root.length === text.length - 1 && text.startsWith("/") && text.endsWith(root) ||
    root.endsWith(text) && root[root.length - text.length - 1] === "/";
}

/** The hashes of a host and of every one above it. */
export function hostHashes(host: string): readonly number[] {
  const hashes = [hashed(host)];
  for (let at = host.indexOf("."); at >= 0; at = host.indexOf(".", at + 1)) {
    hashes.push(hashed(host.slice(at + 1)));
  }
  return hashes;
}
