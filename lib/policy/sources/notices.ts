import type { RuleSource } from "../../model/source.ts";
import type { Notice } from "../../model/source_entry.ts";
import { ownerOf } from "./entry_text.ts";

/** That something of a workspace needs trust: `[tools.Bash] of the project counts only after "caliban trust"`, and `why`. */
export function untrusted(
  what: string,
  source: RuleSource,
  { why }: { readonly why?: string } = {},
): Notice {
  const counts = isPlural(what) ? "count" : "counts";
  const message = `${what} of ${ownerOf(source.kind)} ${counts} only after "caliban trust"`;
  return { id: "untrusted", message: why === undefined ? message : `${message}: ${why}`, source };
}

/** That something does not count in this kind of source, and `why`. */
export function ignored(what: string, options: { source: RuleSource; why: string }): Notice {
  const does = isPlural(what) ? "do" : "does";
  const owner = ownerOf(options.source.kind);
  const message = `${what} of ${owner} ${does} not count: ${options.why}`;
  return { id: "ignored", message, source: options.source };
}

function isPlural(what: string): boolean {
  return /(?:rules|wrappers)$/.test(what);
}
