import type { CallFile } from "../model/verdict.ts";

/**
 * The sentence behind the name of a file or folder: "leads to /x, outside of the workspace". `shown` makes a path fit to be
 * shown. Undefined for one that is simply what is written, inside of the workspace.
 */
export function placeNote(
  { real, isUnknown, isOutside }: CallFile,
  shown: (path: string) => string,
): string | undefined {
  const where = isUnknown ? "has links that cannot be followed" : undefined;
  const target = real === undefined ? where : `leads to ${shown(real)}`;
  if (!isOutside) return target;
  return target === undefined ? `is ${OUTSIDE}` : `${target}, ${OUTSIDE}`;
}

const OUTSIDE = "outside of the workspace";
