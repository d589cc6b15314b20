import type { Request } from "../../policy/compile/request.ts";
import type { CommandTraits, SearchedFolder } from "../../shell/effect.ts";

/** The most files and folders of a glob that are searched. */
const MAX_NAMES = 200;

/** A glob with a part that a look at the folders reads differently from a shell: an empty one, `.` or `..` behind a wildcard. */
const HARD_TO_LOOK_UP = /[*?[].*\/(?:\.{0,2}(?:\/|$))/s;

/** The folders that a command searches whole, with those that its globs name now; undefined if one of them is not known. */
export function foldersNow(
  { searches }: Pick<CommandTraits, "searches">,
  request: Request,
): readonly SearchedFolder[] | undefined {
  const found: SearchedFolder[] = [];
  for (const { isGlob, ...folder } of searches ?? []) {
    const path = isGlob ? folder.path.replace(/\/+$/, "") : folder.path;
    if (isGlob && HARD_TO_LOOK_UP.test(path)) return undefined;
    const names = isGlob ? request.expand(path) : [path];
    if (names === undefined || names.length > MAX_NAMES) return undefined;
    found.push(...names.map((name) => ({ ...folder, path: name })));
  }
  return searches && found;
}
