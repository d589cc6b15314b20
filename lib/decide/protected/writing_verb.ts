import { isFixed } from "../../shell/parse/parse_word.ts";
import { baseName, ProgramCatalog } from "../../shell/programs/programs.ts";
import type { Effect } from "../../shell/unit.ts";
import { WRITING_VERBS } from "./protected_place.ts";

/** The verb of caliban with which a command writes rules (`perms add`); undefined when it runs none. */
export function writingVerb({ allowTexts, denyTexts }: Effect): string | undefined {
  const texts = [
    ...allowTexts.map(({ text }) => text),
    ...denyTexts.map(({ template }) => template),
  ];
  for (const text of texts) {
    const verb = verbIn(text);
    if (verb !== undefined) return verb;
  }
  return undefined;
}

/** The same for the text of one command, in which a hole stands for what is not fixed. */
export function verbIn(text: string): string | undefined {
  if (!/caliban/i.test(text)) return undefined;
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const at = words.findIndex((word, index) =>
    isCaliban(word) && (index === first || runsOthers(words[first] ?? ""))
  );
  if (at < 0) return undefined;
  const rest = words.slice(at + 1).filter((word) => !word.startsWith("-"));
  return WRITING_VERBS.find((verb) => spellings(verb).some((each) => mayBegin(rest, each)))
    ?.join(" ");
}

/** Whether a word names caliban: the program, or the package that runs as it. */
function isCaliban(word: string): boolean {
  return /^caliban(?:@.*)?$/i.test(baseName(word)) ||
    /@caliban\/perms(?:@[^/]*)?(?:\/.*)?$/.test(word);
}

let catalog: ProgramCatalog | undefined;

/** Whether running code is a program's trade, so that caliban may stand among its operands. */
function runsOthers(word: string): boolean {
  catalog ??= new ProgramCatalog();
  return catalog.program(baseName(word))?.table.trade ?? false;
}

/** A verb with and without the word that can be left out. */
function spellings(verb: readonly string[]): readonly (readonly string[])[] {
  return verb[0] === "perms" ? [verb, verb.slice(1)] : [verb];
}

function mayBegin(words: readonly string[], verb: readonly string[]): boolean {
  return verb.every((name, index) => {
    const word = words[index];
    return word !== undefined && (word === name || !isFixed(word));
  });
}
