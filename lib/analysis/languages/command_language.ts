import { type Glob, onlyText } from "../../pattern/glob.ts";
import { commandGlobs, type CommandTest } from "../../policy/compile/command_matcher.ts";
import type { MatcherContext } from "../../policy/compile/value_matcher.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import {
  type CharSet,
  charSet,
  charsOf,
  complement,
  intersection,
  union,
} from "../automata/char_set.ts";
import { globLanguage } from "./glob_language.ts";

/** ASCII letters and digits. */
export const LETTERS: CharSet = charSet([[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]]);
/** Letters beyond ASCII, without blanks and the characters that the parser reserves. */
const FOREIGN: CharSet = intersection(
  charSet([[0xa1, 0xd7ff], [0xf900, 0xfdff], [0x10000, 0x1ffff]]),
  complement(charSet([
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200f],
    [0x2028, 0x202f],
    [0x205f, 0x206f],
    [0x3000, 0x3000],
  ])),
);
/** The characters of a program's name. */
export const NAME: CharSet = union(union(LETTERS, FOREIGN), charsOf("-_.%@+,:"));
/** The characters of a plain word. */
export const WORD: CharSet = union(NAME, charsOf("/="));

/** Plain words separated by single blanks; the first is no assignment and has no folder. */
export function commandDomain(automata: Automata): State {
  const word = automata.one(WORD, automata.star(WORD, automata.end));
  const more = automata.loop({ before: charsOf(" "), inner: word });
  const name = automata.one(NAME, automata.star(NAME, automata.end));
  const blank = charsOf(" ");
  return automata.either([
    name,
    automata.then(name, { mark: blank, next: automata.either(more.edges.map(({ to }) => to)) }),
  ]);
}

/** The lines that a command test fits: among all lines if each is one string, else among plain commands. */
export function commandLanguage(
  test: CommandTest,
  { automata, reading }: { automata: Automata; reading: MatcherContext },
): State {
  const { shell, semantics, context } = reading;
  if (shell === "other" && semantics === "must") {
    const line = test.anchor === "whole" ? onlyText(test.glob) : undefined;
    return line === undefined ? automata.nothing : automata.text(line, automata.end);
  }
  const folds = semantics === "may" && (context.ignoreCase || shell === "other");
  const parts = [
    ...partsOf(test, { automata, reading }),
    ...shortened(test, { automata, reading }),
  ];
  return automata.either(parts.flatMap(({ glob, next }) => [
    globLanguage(glob, { automata, next }),
    ...(folds ? [globLanguage(glob, { automata, next, cases: "folded" })] : []),
  ]));
}

/** A glob, and the language that follows the texts that it fits. */
interface Part {
  readonly glob: Glob;
  readonly next: State;
}

interface ReadOptions {
  readonly automata: Automata;
  readonly reading: MatcherContext;
}

/** The parts of a test; for a deny or ask rule also without the end of its glob: `git push *` fits a bare `git push`. */
function partsOf(test: CommandTest, { automata, reading }: ReadOptions): readonly Part[] {
  const { end, everything } = automata;
  const orMore = (blanks: string) => automata.either([end, automata.text(blanks, everything)]);
  if (test.anchor === "prefix") return [{ glob: test.glob, next: orMore(" ") }];
  const isShort = reading.semantics === "may" && reading.shell === "parsed";
  const cut = isShort && test.anchor === "whole" ? withoutTail(test.glob) : undefined;
  if (cut) return [{ glob: cut.glob, next: orMore(cut.blanks) }];
  return commandGlobs(test).map((glob) => ({ glob, next: end }));
}

/** For a deny or ask rule on an unknown shell: its globs without the blank at their end. */
function shortened(test: CommandTest, { automata, reading }: ReadOptions): readonly Part[] {
  if (reading.semantics === "must" || reading.shell !== "other") return [];
  return commandGlobs(test).map(beforeBlank).filter((glob) => glob !== undefined)
    .map((glob) => ({ glob, next: automata.end }));
}

/** The glob of the texts that a glob matches with one more blank at their end; undefined if these are its own alone. */
function beforeBlank(glob: Glob): Glob | undefined {
  const rest = glob.at(-1)?.kind === "star" ? glob.slice(0, -1) : glob;
  const last = rest.at(-1);
  if (last?.kind === "anyChar") return rest.slice(0, -1);
  if (last?.kind !== "text" || !last.text.endsWith(" ")) return undefined;
  const text = last.text.slice(0, -1);
  return text === "" ? rest.slice(0, -1) : [...rest.slice(0, -1), { kind: "text", text }];
}

/** A glob without the star at its end and the blanks before it. */
function withoutTail(glob: Glob): { readonly glob: Glob; readonly blanks: string } | undefined {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || text?.kind !== "text" || !text.text.endsWith(" ")) {
    return undefined;
  }
  const rest = text.text.replace(/ +$/, "");
  const blanks = text.text.slice(rest.length);
  return rest === ""
    ? undefined
    : { glob: [...glob.slice(0, -2), { kind: "text", text: rest }], blanks };
}
