import { isNotFound, untraced } from "./file_fault.ts";
import { type LinkCalls, placeBy, type RealPlace } from "./real_path.ts";

/** The places of paths that were followed, and of every folder above them. Who keeps it says how long they hold. */
export type KnownPaths = Map<string, RealPlace>;

/** The calls for following links one by one. */
interface LookCalls extends LinkCalls {
  /** As `stat` of a runtime, but links are not followed: undefined, or an error, if nothing is there. */
  lstat(path: string): { readonly isLink: boolean } | undefined;
}

/** The longest path that is followed one by one, in UTF-16 code units: the system refuses one above 4,096 bytes, wherever it leads. */
const LONGEST = 1_000;

/** A path that is not taken apart as text: with empty segments, dots or a NUL, or in a folder that is no ordinary one. */
const SPECIAL = /\0|\/(?:\.{0,2}(?:\/|$))|^\/(?:dev|proc|sys)(?:\/|$)|^(?!\/)/;

/**
 * As `realPathBy`, folder by folder: what was found for a folder holds for all that is in it, so that below a missing folder nothing
 * is looked up, and in one that is there only the last name. Whatever is out of the ordinary is left to `realPathBy`: a link, and a
 * look that fails.
 */
export function knownRealPath(calls: LookCalls, path: string, known: KnownPaths): string | null {
  const isPlain = calls.platform === "linux" && path.length <= LONGEST && !SPECIAL.test(path);
  const place = isPlain ? placeIn({ calls, known }, path) : undefined;
  return (place ?? placeBy(calls, path))?.real ?? null;
}

interface Following {
  readonly calls: LookCalls;
  readonly known: KnownPaths;
}

/** The place of a plain path; undefined if a look failed. */
function placeIn(following: Following, path: string): RealPlace | undefined {
  const { known } = following;
  const found = known.get(path);
  if (found !== undefined) return found;
  const slash = path.lastIndexOf("/");
  const folder = slash === 0 ? ROOT : placeIn(following, path.slice(0, slash));
  if (folder === undefined) return undefined;
  const place = placeOf(following, { folder, name: path.slice(slash) });
  if (place !== undefined) known.set(path, place);
  return place;
}

const ROOT: RealPlace = { real: "", isThere: true };

/** The place of a name, with its slash, in a folder. */
function placeOf(
  { calls }: Following,
  { folder, name }: { readonly folder: RealPlace; readonly name: string },
): RealPlace | undefined {
  const real = `${folder.real === "/" ? "" : folder.real}${name}`;
  if (!folder.isThere) return { real, isThere: false };
  try {
    const found = untraced(() => calls.lstat(real));
    return found?.isLink
      ? placeBy(calls, real) ?? undefined
      : { real, isThere: found !== undefined };
  } catch (error) {
    return isNotFound(error) ? { real, isThere: false } : undefined;
  }
}

/** True if a path lies in a folder that is known to be missing: nothing is there. */
export function isKnownMissing(path: string, known: KnownPaths): boolean {
  if (known.size === 0 || SPECIAL.test(path)) return false;
  return known.get(path.slice(0, path.lastIndexOf("/")))?.isThere === false;
}
