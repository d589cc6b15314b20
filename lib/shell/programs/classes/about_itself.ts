import about from "../../../../defaults/about.json" with { type: "json" };
import { literalOf, type Word } from "../../parse/tree.ts";

/**
 * The content of `defaults/about.toml`, as JSON: for each set of forms, separated by blanks, the programs that answer each of them,
 * each between commas; a program may have sub-commands behind it.
 */
const ANSWERS: Readonly<Record<string, string>> = about;

/** A folder of the system before a name. */
const OF_SYSTEM = /^\/(?:usr\/)?s?bin\/(?=[^/]+$)/;

/** The most words of a command that asks a program about itself. */
const MOST_WORDS = 4;

/**
 * True if a command only asks a program, or a sub-command of it, about itself, in a form that it is known to answer without a
 * look at any file of the folder or the home: `nmap --version`. A name with a folder is none, but for those of the system.
 */
export function onlyAsksAbout(words: readonly Word[]): boolean {
  if (words.length < 2 || words.length > MOST_WORDS) return false;
  const form = literalOf(words.at(-1)!);
  if (form === undefined || !/^(?:-\w|--?[a-z]+|help|version)$/.test(form)) return false;
  const [program = "", ...subs] = words.slice(0, -1).map((word) => literalOf(word) ?? "");
  const names = [program.replace(OF_SYSTEM, ""), ...subs];
  if (!names.every((name) => /^[\w.+-]+$/.test(name))) return false;
  const entry = `,${names.join(" ")},`;
  return Object.entries(ANSWERS).some(([forms, programs]) =>
    forms.split(" ").includes(form) && programs.includes(entry)
  );
}
