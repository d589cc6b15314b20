import type { CommandClass } from "../../model/call.ts";
import { type Glob, onlyText, printGlob } from "../../pattern/glob.ts";
import type { FieldTest, Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import { fieldContext, type MatcherContext } from "../../policy/compile/value_matcher.ts";
import type { Automata } from "../automata/automaton.ts";
import { ANY, charsOf, MARK, MISSING, only, UNCLEAR } from "../automata/char_set.ts";
import { includes, type State, symbolsOf } from "../automata/state.ts";
import { type Argument, type ArgumentOptions, isSearched, specifiersOf } from "./argument.ts";
import { classLanguage } from "./class_language.ts";
import { commandLanguage } from "./command_language.ts";
import { globLanguage } from "./glob_language.ts";
import { mayPathLanguage, mustPathLanguage } from "./path_language.ts";
import { domainLanguage, mayUrlLanguage, mustUrlLanguage } from "./url_language.ts";

/** The calls of one tool that a rule fits, each call written as one word. */
export interface RuleLanguage {
  /** The calls that it fits. */
  readonly yes: State;
  /** The calls for which it is indeterminate; nothing for an allow rule. */
  readonly indeterminate: State;
}

/** The tool's arguments and the way its rules are read. */
export interface RuleLanguageOptions extends ArgumentOptions {
  /** The tool's arguments. */
  readonly arguments: readonly Argument[];
  /** The folder of calls that name no other. */
  readonly cwd: string;
}

export function ruleLanguage(toolRule: ToolRule, options: RuleLanguageOptions): RuleLanguage {
  const { automata } = options;
  const specifiers = specifiersOf(toolRule);
  const isAllow = toolRule.rule.action === "allow";
  const nothing = automata.nothing;
  if (specifiers.length === 0) {
    return { yes: nothing, indeterminate: isAllow ? nothing : automata.whatever };
  }
  const all = specifiers.map((specifier) => specifierLanguage(specifier, { ...options, toolRule }));
  return {
    yes: automata.either(all.map(({ yes }) => yes)),
    indeterminate: isAllow
      ? nothing
      : automata.either(all.map(({ indeterminate }) => indeterminate)),
  };
}

type SpecifierOptions = RuleLanguageOptions & { readonly toolRule: ToolRule };

function specifierLanguage(specifier: Specifier, options: SpecifierOptions): RuleLanguage {
  const { automata, profile } = options;
  const { nothing, whatever } = automata;
  if (specifier.kind === "any") return { yes: whatever, indeterminate: nothing };
  if (specifier.kind === "class") return commandsOfClass(specifier.name, options);
  if (specifier.kind === "fields") return fieldsLanguage(specifier.fields, options);
  const searched = profile.searches !== undefined && specifier.test.kind === "path";
  if (!searched && profile.firstArg === undefined) return { yes: nothing, indeterminate: whatever };
  if (!searched && profile.firstArg?.length === 0) return { yes: nothing, indeterminate: nothing };
  const key = searched ? profile.searches!.path : profile.firstArg![0]!;
  return fieldsLanguage([{ key, negated: false, isArgument: true, test: specifier.test }], options);
}

/** The commands of a class: of a call without a line that can be read an allow rule matches none, others are indeterminate. */
function commandsOfClass(name: CommandClass, options: SpecifierOptions): RuleLanguage {
  const { automata, toolRule } = options;
  const isAllow = toolRule.rule.action === "allow";
  const languages = options.arguments.map((argument): ArgumentLanguage => {
    if (argument.role === "class") {
      return classLanguage(name, { named: argument.classes ?? [], isAllow, automata });
    }
    if (argument.role !== "first") return uncompared(argument, { fields: [], options });
    return {
      yes: automata.everything,
      indeterminate: isAllow ? automata.nothing : automata.one(only(UNCLEAR), automata.end),
    };
  });
  return concatenated(languages, options);
}

/** The values of one argument that tests fit. */
interface ArgumentLanguage {
  readonly yes: State;
  readonly indeterminate: State;
}

/** Every field must fit: argument by argument. */
function fieldsLanguage(fields: readonly FieldTest[], options: SpecifierOptions): RuleLanguage {
  const { profile, automata } = options;
  if (fields.some((field) => field.isArgument) && profile.firstArg === undefined) {
    return { yes: automata.nothing, indeterminate: automata.whatever };
  }
  const languages = options.arguments.map((argument): ArgumentLanguage => {
    const own = fields.filter((field) => isOf(field, { argument, options }))
      .map((field) => fieldLanguage(field, { argument, options }));
    // The values that a field fits are among those of an argument that is not compared.
    return own.length === 0
      ? uncompared(argument, { fields, options })
      : own.reduce((a, b) => intersection(a, b, options));
  });
  return concatenated(languages, options);
}

function isOf(
  field: FieldTest,
  { argument, options }: { argument: Argument; options: SpecifierOptions },
): boolean {
  const { searches } = options.profile;
  if (isSearched(field, searches)) return argument.role === "searched";
  return field.isArgument
    ? argument.role === "first"
    : argument.role !== "first" && argument.key === field.key;
}

/** An argument that a rule does not compare; an allow rule that does not name the command needs a readable line. */
function uncompared(
  argument: Argument,
  { fields, options }: { fields: readonly FieldTest[]; options: SpecifierOptions },
): ArgumentLanguage {
  const { automata, toolRule, shell, profile } = options;
  const guarded = argument.role === "first" && toolRule.rule.action === "allow" &&
    shell === "parsed" && profile.kind === "command" &&
    !fields.some((field) => field.isArgument && !field.negated);
  const { everything, end, nothing } = automata;
  const specials = guarded ? [] : [
    automata.one(only(UNCLEAR), end),
    ...(argument.role === "first" ? [] : [automata.one(only(MISSING), end)]),
  ];
  return { yes: automata.either([everything, ...specials]), indeterminate: nothing };
}

function fieldLanguage(
  field: FieldTest,
  { argument, options }: { argument: Argument; options: SpecifierOptions },
): ArgumentLanguage {
  const { automata, toolRule, shell, context, cwd } = options;
  const action = toolRule.rule.action;
  const reading: MatcherContext = {
    semantics: action === "allow" ? "must" : "may",
    asks: action === "ask",
    shell,
    context,
  };
  const fits = testLanguage(field.test, { automata, reading: fieldContext(field, reading) });
  const symbol = (code: number) => automata.one(only(code), automata.end);
  const unclear = automata.either([fits.indeterminate, symbol(UNCLEAR)]);
  const yes = field.negated ? automata.not([fits.yes, fits.indeterminate]) : fits.yes;
  if (argument.role === "first") return { yes, indeterminate: unclear };
  const folder = argument.role === "searched" &&
    isSearched({ ...field, isArgument: true }, options.profile.searches) &&
    field.isArgument;
  const isThere = folder
    ? includes(yes, symbolsOf(cwd))
    : field.negated && reading.semantics === "may";
  return { yes: isThere ? automata.either([yes, symbol(MISSING)]) : yes, indeterminate: unclear };
}

function intersection(
  a: ArgumentLanguage,
  b: ArgumentLanguage,
  { automata }: SpecifierOptions,
): ArgumentLanguage {
  const maybe = ({ yes, indeterminate }: ArgumentLanguage) => automata.either([yes, indeterminate]);
  return {
    yes: automata.both(a.yes, b.yes),
    indeterminate: automata.either([
      automata.both(a.indeterminate, maybe(b)),
      automata.both(maybe(a), b.indeterminate),
    ]),
  };
}

/** The words of all arguments; indeterminate if one is and all others may fit. */
function concatenated(
  languages: readonly ArgumentLanguage[],
  { automata }: SpecifierOptions,
): RuleLanguage {
  if (languages.length === 0) return { yes: automata.whatever, indeterminate: automata.nothing };
  let yes = languages.at(-1)!.yes;
  let indeterminate = languages.at(-1)!.indeterminate;
  for (const before of languages.slice(0, -1).toReversed()) {
    const maybe = automata.either([yes, indeterminate]);
    const joined = (inner: State, next: State) => automata.then(inner, { mark: MARK, next });
    indeterminate = automata.either([
      joined(before.yes, indeterminate),
      joined(before.indeterminate, maybe),
    ]);
    yes = joined(before.yes, yes);
  }
  return { yes, indeterminate };
}

/** The texts of its domain that a test fits; it does not fit those in neither language. */
interface TestLanguage {
  /** The texts that it fits. */
  readonly yes: State;
  /** The texts for which it is indeterminate. */
  readonly indeterminate: State;
}

/** The language of a test as a rule reads it. */
export function testLanguage(
  test: ValueTest,
  { automata, reading }: { automata: Automata; reading: MatcherContext },
): TestLanguage {
  const known = (yes: State): TestLanguage => ({ yes, indeterminate: automata.nothing });
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
      if (isStrict) return known(mustPathLanguage(test.pattern, { automata, context }).forms);
      const { forms, raw } = mayPathLanguage(test.pattern, { automata, context });
      const yes = automata.either([forms, raw]);
      const homeless = test.pattern.base === "home" && context.home.length === 0;
      return homeless ? { yes, indeterminate: automata.not([yes]) } : known(yes);
    }
    case "url":
      return known(
        isStrict ? mustUrlLanguage(test.glob, automata) : mayUrlLanguage(test.glob, automata),
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
