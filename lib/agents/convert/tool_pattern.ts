import { literalGlob, printGlob } from "../../pattern/glob.ts";

/** The tools that change a file; one rule of most agents speaks of all of them. */
export const EDIT_TOOLS = ["Edit", "Write", "NotebookEdit"] as const;

/** Those, and one that agents had. */
export const ALL_EDIT_TOOLS = [...EDIT_TOOLS, "MultiEdit"] as const;

/** The pattern for every call of the tool of exactly that name. */
export function toolPattern(name: string): string {
  return printGlob(literalGlob(name));
}

/** The patterns that say of files what one word of another agent says: a deny with a path on Edit holds for all that edit. */
export function filePatterns(
  kind: "read" | "edit",
  { path, action }: { readonly path: string | undefined; readonly action: string },
): readonly string[] {
  const edits = action === "allow" ? EDIT_TOOLS : path === undefined ? ALL_EDIT_TOOLS : ["Edit"];
  const tools = kind === "read" ? ["Read"] : edits;
  return tools.map((tool) => path === undefined ? tool : `${tool}:${path}`);
}
