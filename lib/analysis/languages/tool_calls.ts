import { groupBy } from "../group_by.ts";
import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import type { CompiledRule } from "../../policy/compile/compiled_policy.ts";
import type { Automata } from "../automata/automaton.ts";
import { findWord } from "../automata/find_words.ts";
import { HeadIndex } from "../automata/head_index.ts";
import { MARK, MISSING, UNCLEAR } from "../automata/char_set.ts";
import type { State } from "../automata/state.ts";
import { AnalysedRule } from "./analysed_rule.ts";
import type { Argument } from "./argument.ts";
import { OperandCalls } from "./operand_calls.ts";
import { RuleLanguages, type RuleLanguagesOptions } from "./rule_languages.ts";

/** If a search for a common word takes more places, two languages count as meeting. */
const MAX_PLACES = 50_000;

/** The calls of one tool as words, and the language of each rule. */
export class ToolCalls {
  /** The tool's name. */
  readonly tool: string;
  /** Every rule that applies to the tool and has not expired, in order. */
  readonly rules: readonly AnalysedRule[];
  /** The arguments that the rules compare. */
  readonly arguments: readonly Argument[];
  /** All calls that are analysed. */
  readonly domain: State;
  /** The calls whose operands may be a command that a deny or ask rule names. */
  readonly operands: OperandCalls;
  /** The languages of its rules. */
  readonly languages: RuleLanguages;
  readonly #automata: Automata;
  readonly #places: ReadonlyMap<number, number>;
  #heads: HeadIndex | undefined;
  /** The places near the end that was asked about last: most are asked about again. */
  #near: { readonly end: string; readonly places: readonly number[] } | undefined;
  readonly #meeting = new Map<State, readonly AnalysedRule[]>();
  #indeterminate: readonly Indeterminate[] | undefined;

  constructor(
    tool: string,
    options: RuleLanguagesOptions & { readonly mayRunOperands: (program: string) => boolean },
  ) {
    this.tool = tool;
    this.arguments = options.arguments;
    this.#automata = options.automata;
    this.domain = wordsOf(this.arguments.map(({ domain }) => domain), options.automata);
    const languages = this.languages = new RuleLanguages(options);
    this.rules = options.toolRules.map((toolRule, place) =>
      new AnalysedRule(toolRule, { place, languages })
    );
    this.#places = new Map(this.rules.map(({ rule, place }) => [rule.index, place]));
    this.operands = new OperandCalls({ ...options, rules: this.rules });
  }

  /** The rule as this tool reads it; undefined if it does not apply to the tool. */
  of(rule: CompiledRule): AnalysedRule | undefined {
    const place = this.#places.get(rule.index);
    return place === undefined ? undefined : this.rules[place];
  }

  /** The other rules that may fit a call that this one fits, in order. */
  near({ end, place }: AnalysedRule): readonly AnalysedRule[] {
    return this.nearTo(end).filter((each) => each.place !== place);
  }

  /** Those of them that stand before it. */
  earlier({ end, place }: AnalysedRule): readonly AnalysedRule[] {
    const found: AnalysedRule[] = [];
    for (const each of this.#placesNear(end)) {
      if (each >= place) break;
      found.push(this.rules[each]!);
    }
    return found;
  }

  /** The rules that may fit a call that a rule with this `end` fits, in order; that rule may be of another list. */
  nearTo(end: string): readonly AnalysedRule[] {
    return this.#placesNear(end).map((place) => this.rules[place]!);
  }

  #placesNear(end: string): readonly number[] {
    this.#heads ??= new HeadIndex(this.rules.map((each) => each.end));
    if (this.#near?.end !== end) this.#near = { end, places: this.#heads.near(end) };
    return this.#near.places;
  }

  /** The calls for which deny and ask rules at these places are indeterminate; `from` included, `to` not. */
  indeterminateBetween(from: number, to: number): readonly State[] {
    this.#indeterminate ??= indeterminateOf(this.rules, this.#automata);
    return this.#indeterminate.flatMap(({ state, places }) =>
      places.some((place) => from <= place && place < to) ? [state] : []
    );
  }

  /** The rules that fit some call of a language, in order. Remembered for each language. */
  meeting(state: State): readonly AnalysedRule[] {
    let found = this.#meeting.get(state);
    if (!found) {
      const meets = ({ yes }: AnalysedRule) =>
        findWord({ all: [state, yes], none: [] }, { left: MAX_PLACES }) !== undefined;
      this.#meeting.set(state, found = this.rules.filter(meets));
    }
    return found;
  }

  /** The call that a word represents. */
  callOf(word: readonly number[]): ToolCall {
    const values = split(word);
    const keys = this.arguments.flatMap(({ key, role }) => role === "class" ? [] : [key]);
    let input: JsonObject = {};
    for (const [at, { key, role }] of this.arguments.entries()) {
      if (role === "class") continue;
      const [symbol] = values[at] ?? [];
      if (symbol === MISSING || symbol === UNCLEAR && role === "first") continue;
      const value = symbol === UNCLEAR ? null : String.fromCodePoint(...(values[at] ?? []));
      input = withValue(input, { path: pathOf(key, keys), value });
    }
    return { tool: this.tool, input };
  }

  /** The language without calls. */
  get nothing(): State {
    return this.#automata.nothing;
  }
}

/** The words of all arguments, one behind the other. */
export function wordsOf(parts: readonly State[], automata: Automata): State {
  const last = parts.at(-1);
  if (last === undefined) return automata.end;
  return parts.slice(0, -1).reduceRight(
    (next, part) => automata.then(part, { mark: MARK, next }),
    last,
  );
}

/** A language of indeterminate calls, with the places of its rules. */
interface Indeterminate {
  readonly state: State;
  readonly places: readonly number[];
}

function indeterminateOf(
  rules: readonly AnalysedRule[],
  { nothing }: Automata,
): readonly Indeterminate[] {
  const some = rules.filter(({ indeterminate }) => indeterminate !== nothing);
  return [...groupBy(some, ({ indeterminate }) => indeterminate)].map(([state, same]) => ({
    state,
    places: same.map(({ place }) => place),
  }));
}

function split(word: readonly number[]): readonly (readonly number[])[] {
  const parts: number[][] = [[]];
  for (const symbol of word) {
    if (symbol === MARK[0]) parts.push([]);
    else parts.at(-1)!.push(symbol);
  }
  return parts;
}

/** The path of a dotted field: nested objects, or one name if another field is in the way. */
function pathOf(key: string, keys: readonly string[]): readonly string[] {
  const inTheWay = keys.some((other) =>
    other !== key && (key.startsWith(`${other}.`) || other.startsWith(`${key}.`))
  );
  return inTheWay ? [key] : key.split(".");
}

function withValue(
  input: JsonObject,
  { path, value }: { path: readonly string[]; value: Json },
): JsonObject {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) return { ...input, [name]: value };
  const inner = Object.hasOwn(input, name) ? input[name] as JsonObject : {};
  return { ...input, [name]: withValue(inner, { path: rest, value }) };
}
