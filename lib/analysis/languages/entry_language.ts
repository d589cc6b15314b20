import type { FieldTest, Specifier } from "../../pattern/pattern.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import { fieldContext, type MatcherContext } from "../../policy/compile/value_matcher.ts";
import { type Argument, type ArgumentOptions, isSearched, specsOf } from "./argument.ts";
import { includes, symbolsOf } from "../automata/edges.ts";
import type { State } from "../automata/state.ts";
import { only } from "../automata/char_set.ts";
import { MARK, MISSING, UNCLEAR } from "../automata/marks.ts";
import { testLanguage } from "./test_language.ts";

/** What a rule says of the calls of one tool, each written as one word. */
export interface EntryLanguage {
  /** The calls that it fits. */
  readonly yes: State;
  /** The calls that it cannot be evaluated for; nothing for an allow rule. */
  readonly unknown: State;
}

/** What a language of a tool's calls is made with. */
export interface EntryOptions extends ArgumentOptions {
  /** The tool's arguments. */
  readonly arguments: readonly Argument[];
  /** The folder of calls that name none. */
  readonly cwd: string;
}

/** The language of an entry. */
export function entryLanguage(toolRule: ToolRule, options: EntryOptions): EntryLanguage {
  const { automata } = options;
  const specs = specsOf(toolRule);
  const isAllow = toolRule.rule.action === "allow";
  const nothing = automata.nothing;
  if (specs.length === 0) {
    return { yes: nothing, unknown: isAllow ? nothing : automata.whatever };
  }
  const all = specs.map((specifier) => specLanguage(specifier, { ...options, entry: toolRule }));
  return {
    yes: automata.either(all.map(({ yes }) => yes)),
    unknown: isAllow ? nothing : automata.either(all.map(({ unknown }) => unknown)),
  };
}

type SpecOptions = EntryOptions & { readonly entry: ToolRule };

function specLanguage(specifier: Specifier, options: SpecOptions): EntryLanguage {
  const { automata, profile } = options;
  const { nothing, whatever } = automata;
  if (specifier.kind === "any") return { yes: whatever, unknown: nothing };
  if (specifier.kind === "fields") return fieldsLanguage(specifier.fields, options);
  const searched = profile.searches !== undefined && specifier.test.kind === "path";
  if (!searched && profile.firstArg === undefined) return { yes: nothing, unknown: whatever };
  if (!searched && profile.firstArg?.length === 0) return { yes: nothing, unknown: nothing };
  const key = searched ? profile.searches!.path : profile.firstArg![0]!;
  return fieldsLanguage([{ key, negated: false, first: true, test: specifier.test }], options);
}

/** What tests say of one argument. */
interface Said {
  readonly yes: State;
  readonly unknown: State;
}

/** Every field must fit: argument by argument. */
function fieldsLanguage(fields: readonly FieldTest[], options: SpecOptions): EntryLanguage {
  const { profile, automata } = options;
  if (fields.some((field) => field.first) && profile.firstArg === undefined) {
    return { yes: automata.nothing, unknown: automata.whatever };
  }
  const said = options.arguments.map((argument): Said => {
    const own = fields.filter((field) => isOf(field, { argument, options }));
    return own.map((field) => fieldLanguage(field, { argument, options }))
      .reduce((a, b) => bothSaid(a, b, options), unasked(argument, { fields, options }));
  });
  return inWords(said, options);
}

function isOf(
  field: FieldTest,
  { argument, options }: { argument: Argument; options: SpecOptions },
): boolean {
  const { searches } = options.profile;
  if (isSearched(field, searches)) return argument.role === "searched";
  return field.first
    ? argument.role === "first"
    : argument.role !== "first" && argument.key === field.key;
}

/** An argument that a rule does not look at; an allow rule that does not name the command needs a line that can be read. */
function unasked(
  argument: Argument,
  { fields, options }: { fields: readonly FieldTest[]; options: SpecOptions },
): Said {
  const { automata, entry: toolRule, shell, profile } = options;
  const guarded = argument.role === "first" && toolRule.rule.action === "allow" &&
    shell === "parsed" && profile.kind === "command" &&
    !fields.some((field) => field.first && !field.negated);
  const { everything, end, nothing } = automata;
  const specials = guarded ? [] : [
    automata.one(only(UNCLEAR), end),
    ...(argument.role === "first" ? [] : [automata.one(only(MISSING), end)]),
  ];
  return { yes: automata.either([everything, ...specials]), unknown: nothing };
}

function fieldLanguage(
  field: FieldTest,
  { argument, options }: { argument: Argument; options: SpecOptions },
): Said {
  const { automata, entry: toolRule, shell, context, cwd } = options;
  const action = toolRule.rule.action;
  const reading: MatcherContext = {
    semantics: action === "allow" ? "must" : "may",
    asks: action === "ask",
    shell,
    context,
  };
  const fits = testLanguage(field.test, { automata, reading: fieldContext(field, reading) });
  const symbol = (code: number) => automata.one(only(code), automata.end);
  const unclear = automata.either([fits.unknown, symbol(UNCLEAR)]);
  const yes = field.negated ? automata.not([fits.yes, fits.unknown]) : fits.yes;
  if (argument.role === "first") return { yes, unknown: unclear };
  const folder = argument.role === "searched" &&
    isSearched({ ...field, first: true }, options.profile.searches) &&
    field.first;
  const isThere = folder
    ? includes(yes, symbolsOf(cwd))
    : field.negated && reading.semantics === "may";
  return { yes: isThere ? automata.either([yes, symbol(MISSING)]) : yes, unknown: unclear };
}

function bothSaid(a: Said, b: Said, { automata }: SpecOptions): Said {
  const maybe = ({ yes, unknown }: Said) => automata.either([yes, unknown]);
  return {
    yes: automata.both(a.yes, b.yes),
    unknown: automata.either([
      automata.both(a.unknown, maybe(b)),
      automata.both(maybe(a), b.unknown),
    ]),
  };
}

/** Words of what is said of each argument; unknown where one is and all others may fit. */
function inWords(said: readonly Said[], { automata }: SpecOptions): EntryLanguage {
  if (said.length === 0) return { yes: automata.whatever, unknown: automata.nothing };
  let yes = said.at(-1)!.yes;
  let unknown = said.at(-1)!.unknown;
  for (const before of said.slice(0, -1).toReversed()) {
    const maybe = automata.either([yes, unknown]);
    const joined = (inner: State, next: State) => automata.then(inner, { mark: MARK, next });
    unknown = automata.either([joined(before.yes, unknown), joined(before.unknown, maybe)]);
    yes = joined(before.yes, yes);
  }
  return { yes, unknown };
}
