import { formatPatch, OMIT_HEADERS, structuredPatch } from "diff";

/**
 * Returns the change from one text to another in the unified format of POSIX `diff -u`, for `patch` and git; "" if they are
 * the same. Each hunk has three lines of context. The time grows with the lines times the changes (Myers).
 */
export function unifiedDiff(
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): string {
  if (before === after) return "";
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context: 3 });
  // The package would quote a name that has a backslash or is not ASCII.
  return `--- ${name}\n+++ ${name}\n${formatPatch(patch, OMIT_HEADERS)}`;
}
