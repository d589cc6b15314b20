import { ALL_EDIT_TOOLS } from "./patterns.ts";

const FILES: readonly string[] = ["Read", ...ALL_EDIT_TOOLS];

/**
 * Patterns that match what a pattern on a file was meant to, which caliban cannot read: without dots that lead nowhere, in any
 * folder where it leads out of the project, else the whole tool. Empty for other patterns.
 */
export function widerPatterns(pattern: string): readonly string[] {
  const [, tool = "", path = ""] = /^(\w+):(.*)$/s.exec(pattern) ?? [];
  if (!FILES.includes(tool)) return [];
  const isPlain = !/[\p{Cc}\\[\]{}]/u.test(path);
  const reached = isPlain ? reachedPath(path) : undefined;
  if (reached !== undefined) return [`${tool}:${reached}`];
  return tool === "Read" ? [tool] : ALL_EDIT_TOOLS;
}

/** The reason why a pattern on a file, which is a valid one, names none; undefined for any other. */
export function whyNoFile(pattern: string): string | undefined {
  const [, tool = "", path = ""] = /^(\w+):(.*)$/s.exec(pattern) ?? [];
  return FILES.includes(tool) && /^[./]*\.[./]*$/.test(path) ? "it names a folder" : undefined;
}

/** The path without `.` and `..`; undefined where nothing is left of it. */
function reachedPath(path: string): string | undefined {
  const base = /^(?:~\/|\/)/.exec(path)?.[0] ?? "./";
  const kept: string[] = [];
  let leadsOut = false;
  for (const segment of path.slice(path.startsWith(base) ? base.length : 0).split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (/^[^*?]+$/.test(kept.at(-1) ?? "")) kept.pop();
    else leadsOut = true;
  }
  const rest = kept.join("/");
  if (leadsOut) return rest.replace(/^(?:\*\*\/?)+/, "") === "" ? undefined : `**/${rest}`;
  if (rest === "") return base === "/" ? undefined : `${base}**`;
  return rest === "~" ? undefined : base + rest;
}
