import type { CommandClass } from "../../model/call.ts";
import type { Automata } from "../automata/automaton.ts";
import { charsOf } from "../automata/char_set.ts";
import type { State } from "../automata/state.ts";

/*
 * The class of a command cannot be told from its text by an automaton, so a word has one more argument behind the others: the
 * class that is searched for, and the set of classes. Each is taken as possible beside each text. So what holds for all
 * words holds for all calls, and a word that is found proves nothing before its call is evaluated.
 *
 * The argument has one character for the search and one for each class that a rule names:
 *
 *   search   two letters for each named class, of a command whose files are allowed and of one whose files are not; "-" for
 *            any other class
 *   sets     "1" for each named class that the set has, else "0"; at the end the same for `unknown` and `code`
 */
const OTHER = charsOf("-");
const IN = charsOf("1");
const OUT = charsOf("0");
const EITHER = charsOf("01");

/** The letter of a search for the named class at this place. */
function letter(place: number, covered: boolean): ReturnType<typeof charsOf> {
  return charsOf(String.fromCodePoint(0x61 + 2 * place + (covered ? 0 : 1)));
}

/** Every search and set, for the classes that rules name. */
export function classDomain(named: readonly CommandClass[], automata: Automata): State {
  const searches = named.flatMap((name, place) => {
    const rest = sets(named, { automata, has: name, isOpen: isOpen(name) });
    return [true, false].map((covered) => automata.one(letter(place, covered), rest));
  });
  return automata.either([...searches, automata.one(OTHER, sets(named, { automata }))]);
}

/** The searches and sets that a rule for a class matches, and those for which it is indeterminate. */
export function classLanguage(
  name: CommandClass,
  { named, isAllow, automata }: {
    readonly named: readonly CommandClass[];
    readonly isAllow: boolean;
    readonly automata: Automata;
  },
): { readonly yes: State; readonly indeterminate: State } {
  const place = named.indexOf(name);
  if (isAllow) {
    const yes = automata.one(letter(place, true), sets(named, { automata }));
    return { yes, indeterminate: automata.nothing };
  }
  const any = charsOf(
    `-${named.map((_, at) => String.fromCodePoint(0x61 + 2 * at, 0x62 + 2 * at)).join("")}`,
  );
  return {
    yes: automata.one(any, sets(named, { automata, has: name })),
    indeterminate: automata.one(any, sets(named, { automata, lacks: name, isOpen: true })),
  };
}

interface SetOptions {
  readonly automata: Automata;
  /** A class that each set has. */
  readonly has?: CommandClass;
  /** A class that no set has. */
  readonly lacks?: CommandClass;
  /** True if each set has `unknown` or `code`. */
  readonly isOpen?: boolean;
}

/** Sets of the named classes. */
function sets(
  named: readonly CommandClass[],
  { automata, has, lacks, isOpen: open = false }: SetOptions,
): State {
  const last = automata.one(open ? IN : EITHER, automata.end);
  return named.reduceRight(
    (next, name) => automata.one(name === has ? IN : name === lacks ? OUT : EITHER, next),
    last,
  );
}

/** True for a class with which a command may do anything. */
function isOpen(name: CommandClass): boolean {
  return name === "unknown" || name === "code";
}
