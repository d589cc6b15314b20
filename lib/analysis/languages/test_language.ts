import { type Glob, onlyText, printGlob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import type { MatcherContext } from "../../policy/compile/value_matcher.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import { ANY, charsOf } from "../automata/char_set.ts";
import { commandLanguage } from "./command_language.ts";
import { globLanguage } from "./glob_language.ts";
import { strictPathLanguage, widePathLanguage } from "./path_language.ts";
import { domainLanguage, strictUrlLanguage, wideUrlLanguage } from "./url_language.ts";

/** What a test says of every text of its domain; on what is in neither it does not fit. */
export interface TestLanguage {
  /** The texts that it fits. */
  readonly yes: State;
  /** The texts that it cannot be evaluated for. */
  readonly unknown: State;
}

/** The language of a test as a rule reads it. */
export function testLanguage(
  test: ValueTest,
  { automata, reading }: { automata: Automata; reading: MatcherContext },
): TestLanguage {
  const known = (yes: State): TestLanguage => ({ yes, unknown: automata.nothing });
  const isStrict = reading.semantics === "must";
  switch (test.kind) {
    case "text": {
      const fits = globLanguage(test.glob, { automata, next: automata.end });
      return known(
        isStrict && !isPlainText(test.glob)
          ? automata.both(fits, automata.not([dotsLanguage(automata)]))
          : fits,
      );
    }
    case "command":
      return known(commandLanguage(test, { automata, reading }));
    case "path": {
      const { context } = reading;
      if (isStrict) return known(strictPathLanguage(test.pattern, { automata, context }).forms);
      const { forms, raw } = widePathLanguage(test.pattern, { automata, context });
      const yes = automata.either([forms, raw]);
      const homeless = test.pattern.base === "home" && context.home.length === 0;
      return homeless ? { yes, unknown: automata.not([yes]) } : known(yes);
    }
    case "url":
      return known(
        isStrict ? strictUrlLanguage(test.glob, automata) : wideUrlLanguage(test.glob, automata),
      );
    case "domain":
      return known(domainLanguage(test.host, { automata, strict: isStrict }));
  }
}

function isPlainText(glob: Glob): boolean {
  return onlyText(glob) !== undefined || !/[\\/]/.test(printGlob(glob));
}

/** Texts with a `..` between slashes or backslashes. */
function dotsLanguage(automata: Automata): State {
  const slash = charsOf("/\\");
  const tail = automata.either([automata.end, automata.one(slash, automata.everything)]);
  const dots = automata.text("..", tail);
  return automata.either([dots, automata.star(ANY, automata.one(slash, dots))]);
}
