import type { Rule } from "../model/rule.ts";

/** A rule with its place, for a sentence. */
export function nameOf({ action, pattern, source: { path, line } }: Rule): string {
  return `\`${action} ${pattern}\` (${path}:${line})`;
}
