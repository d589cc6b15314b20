import { type PatchFiles, patchFiles } from "../../text/patch_files.ts";
import { fixedWord, HOLE, literalOf, type Redirect, type Word } from "../parse/tree.ts";
import type { ProgramUse } from "../programs/program_use.ts";
import { feedsInput } from "./redirect_effects.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** The most files of a patch that are told apart; of a larger one, the files are unknown. */
const MAX_FILES = 1_000;

/** The files that a program writes whose patch stands in the line: in its words, a here-document or a here-string. */
export function patchUses(
  { words, node: { redirects } }: SimpleCommand,
  { isFed }: { readonly isFed: boolean },
): readonly ProgramUse[] {
  const lastWord = words.length - 1;
  const use = { kind: "write", text: words[0]!.shape, lastWord } as const;
  const unknown: ProgramUse = { ...use, value: UNKNOWN };
  const given = redirects.filter(isText).flatMap(({ target }) => target ?? []);
  const texts = words.length > 1 ? [words.slice(1), given].flat() : given;
  // A pipe or a file may hold any patch.
  const isOpen = texts.length === 0 || isFed && given.length === 0 || redirects.some(isOpened);
  const read = texts.map((word) => patchIn(word));
  const isUnread = read.some((each) => each === undefined || each.unread !== undefined);
  // Codex expands no home folder; other programs may.
  const paths = read.flatMap((each) => each?.paths ?? [])
    .flatMap((path) => path.startsWith("~") ? [path, `./${path}`] : [path]);
  if (paths.length > MAX_FILES) return [unknown];
  const uses = [...new Set(paths)].map((path) => ({ ...use, value: fixedWord(path) }));
  return isOpen || isUnread ? [...uses, unknown] : uses;
}

/** A text that the line does not fix. */
const UNKNOWN: Word = { raw: "a file of its patch", text: "…", shape: HOLE, splits: false };

function isText({ operator }: Redirect): boolean {
  return operator === "<<" || operator === "<<<";
}

function isOpened(redirect: Redirect): boolean {
  return !isText(redirect) && feedsInput([redirect]);
}

/** The files of a patch; undefined if the line does not fix its text. */
function patchIn(word: Word): PatchFiles | undefined {
  const text = literalOf(word);
  if (text === undefined) return undefined;
  // In a here-document, the shell reads escapes where its end is not quoted.
  const escaped = text.includes("\\")
    ? patchFiles(text.replace(/\\([\\$`\n])/g, unescaped))
    : undefined;
  const { paths, unread = escaped?.unread } = patchFiles(text);
  return {
    paths: [...paths, ...escaped?.paths ?? []],
    ...(unread === undefined ? {} : { unread }),
  };
}

function unescaped(_: string, character: string): string {
  return character === "\n" ? "" : character;
}
