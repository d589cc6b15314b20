import type { PathContext } from "./call_path.ts";

/** White space within a line that is not a plain blank. */
const BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** The same, and a plain one. */
const ANY_BLANK = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

const NONE: readonly string[] = [];

/** A text with each blank of another kind as a plain one. */
export function plainBlanks(text: string): string {
  return text.replaceAll(BLANKS, " ");
}

/**
 * The files beside a path that differ from it only in the kind of their blanks: tools that take one for another open them where
 * the path itself is not there. Empty where the folder cannot be listed.
 */
export function alikeFiles(
  text: string,
  { cwd, context }: { readonly cwd: string; readonly context: PathContext },
): readonly string[] {
  if (!ANY_BLANK.test(text)) return NONE;
  const at = text.lastIndexOf("/") + 1;
  const [folder, name] = [text.slice(0, at), text.slice(at)];
  const plain = plainBlanks(name);
  if (!plain.includes(" ")) return NONE;
  const entries = context.listFolder?.(/^\//.test(folder) ? folder : `${cwd}/${folder}`) ?? [];
  return entries.filter((entry) => entry.name !== name && plainBlanks(entry.name) === plain)
    .map((entry) => folder + entry.name);
}
