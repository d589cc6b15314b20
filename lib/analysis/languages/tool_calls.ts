import type { Action } from "../../model/action.ts";
import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { onlyText, printGlob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import type { CompiledRule, ToolRule } from "../../policy/compile/rule_table.ts";
import type { Automata } from "../automata/automaton.ts";
import { includes } from "../automata/edges.ts";
import { findWord } from "../automata/find_words.ts";
import { HeadIndex, headOf } from "../automata/head_index.ts";
import { MARK, MISSING, UNCLEAR } from "../automata/marks.ts";
import type { State } from "../automata/state.ts";
import type { Argument } from "./argument.ts";
import { entryLanguage, type EntryOptions } from "./entry_language.ts";

/** Beyond so many places two languages are taken to meet. */
const MAX_PLACES = 50_000;

/** A rule as one tool reads it. */
export interface ToolEntry {
  /** Its place among the tool's entries. */
  readonly place: number;
  /** The rule. */
  readonly rule: CompiledRule;
  /** What it says of this tool. */
  readonly entry: ToolRule;
  /** The calls that it fits. */
  readonly yes: State;
  /** The calls that it cannot be evaluated for. */
  readonly unknown: State;
  /** A text that tells entries apart which fit nothing in common: neither's begins with the other's. */
  readonly end: string;
}

/** The calls of one tool as words, and what each rule says of them. */
export class ToolCalls {
  /** The tool's name. */
  readonly tool: string;
  /** Every rule that speaks of the tool and still counts, in order. */
  readonly entries: readonly ToolEntry[];
  /** What the rules look at. */
  readonly arguments: readonly Argument[];
  /** All calls that are looked at. */
  readonly domain: State;
  readonly #automata: Automata;
  readonly #places: ReadonlyMap<number, number>;
  readonly #heads: HeadIndex;
  readonly #meeting = new Map<State, readonly ToolEntry[]>();
  /** The languages of calls that cannot be evaluated, each with the first and last rule that has it. */
  readonly #unknowns: readonly { readonly state: State; readonly places: readonly number[] }[];

  /** Made for the entries that count. */
  constructor(tool: string, options: EntryOptions & { readonly entries: readonly ToolRule[] }) {
    this.tool = tool;
    this.arguments = options.arguments;
    this.#automata = options.automata;
    this.domain = wordsOf(this.arguments.map(({ domain }) => domain), options.automata);
    this.entries = options.entries.map((toolRule, place) => {
      const language = entryLanguage(toolRule, options);
      return {
        place,
        rule: toolRule.rule,
        entry: toolRule,
        ...language,
        end: endOf(toolRule, language.yes),
      };
    });
    this.#places = new Map(this.entries.map(({ rule, place }) => [rule.index, place]));
    this.#heads = new HeadIndex(this.entries.map(({ end }) => end));
    this.#unknowns = unknownsOf(this.entries, options.automata);
  }

  /** The rule's entry; undefined when it does not speak of the tool. */
  of(rule: CompiledRule): ToolEntry | undefined {
    const place = this.#places.get(rule.index);
    return place === undefined ? undefined : this.entries[place];
  }

  /** The entries that may fit a call that this one fits, in order, without itself. */
  near({ end, place }: ToolEntry): readonly ToolEntry[] {
    return this.nearTo(end).filter((each) => each.place !== place);
  }

  /** The entries that may fit a call that one with this end fits, in order; of another list, too. */
  nearTo(end: string): readonly ToolEntry[] {
    return this.#heads.near(end).map((place) => this.entries[place]!);
  }

  /** What the deny and ask rules of these places cannot be evaluated for; `from` included, `to` not. */
  unknownsBetween(from: number, to: number): readonly State[] {
    return this.#unknowns.flatMap(({ state, places }) =>
      places.some((place) => from <= place && place < to) ? [state] : []
    );
  }

  /** The entries that fit some call of a language, in order; for few languages, that are asked about often. */
  meeting(state: State): readonly ToolEntry[] {
    let found = this.#meeting.get(state);
    if (!found) {
      const meets = ({ yes }: ToolEntry) =>
        findWord({ all: [state, yes], none: [] }, { left: MAX_PLACES }) !== undefined;
      this.#meeting.set(state, found = this.entries.filter(meets));
    }
    return found;
  }

  /** The first of the entries that fits the word. */
  firstOf(entries: readonly ToolEntry[], word: readonly number[]): ToolEntry | undefined {
    return entries.find(({ yes }) => includes(yes, word));
  }

  /** The call that a word stands for. */
  callOf(word: readonly number[]): ToolCall {
    const values = split(word);
    const keys = this.arguments.map(({ key }) => key);
    let input: JsonObject = {};
    for (const [at, { key, role }] of this.arguments.entries()) {
      const [symbol] = values[at] ?? [];
      if (symbol === MISSING || symbol === UNCLEAR && role === "first") continue;
      const value = symbol === UNCLEAR ? null : String.fromCodePoint(...(values[at] ?? []));
      input = withValue(input, { path: pathOf(key, keys), value });
    }
    return { tool: this.tool, input };
  }

  /** No call, as a language. */
  get nothing(): State {
    return this.#automata.nothing;
  }
}

/** The end of the host, backwards, or how the words begin. */
function endOf(toolRule: ToolRule, yes: State): string {
  const test = toolRule.specifier?.kind === "argument" ? toolRule.specifier.test : undefined;
  const isUrl = test?.kind === "url" || test?.kind === "domain";
  return isUrl ? hostEnd(test, toolRule.rule.action) : headOf(yes);
}

/** The words of arguments one behind the other. */
export function wordsOf(parts: readonly State[], automata: Automata): State {
  const last = parts.at(-1);
  if (last === undefined) return automata.end;
  return parts.slice(0, -1).reduceRight(
    (next, part) => automata.then(part, { mark: MARK, next }),
    last,
  );
}

function unknownsOf(entries: readonly ToolEntry[], { nothing }: Automata) {
  const places = new Map<State, number[]>();
  for (const { unknown, place } of entries) {
    if (unknown === nothing) continue;
    const known = places.get(unknown);
    if (known) known.push(place);
    else places.set(unknown, [place]);
  }
  return [...places].map(([state, all]) => ({ state, places: all }));
}

function split(word: readonly number[]): readonly (readonly number[])[] {
  const parts: number[][] = [[]];
  for (const symbol of word) {
    if (symbol === MARK[0]) parts.push([]);
    else parts.at(-1)!.push(symbol);
  }
  return parts;
}

/** Where a dotted field is written: in objects, or as one name where another field stands on the way. */
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

type UrlTest = Extract<ValueTest, { kind: "url" | "domain" }>;

/**
 * How all hosts that a test fits end, backwards, with a mark behind a whole one; empty where that cannot be told, as for a
 * deny whose wildcards may also stand for a part of the path.
 */
function hostEnd(test: UrlTest, action: Action): string {
  if (test.kind === "domain") return backwards(test.host);
  const parts = urlParts(printGlob(test.glob));
  if (!parts.ok || !parts.value) return "";
  const { scheme, host, labels } = parts.value;
  const whole = onlyText(host);
  if (whole !== undefined) {
    const isFixed = action === "allow" || onlyText(scheme) !== undefined;
    return isFixed ? `${backwards(whole)}\u0000` : "";
  }
  if (action !== "allow") return "";
  let end = "";
  for (const label of labels.toReversed()) {
    const text = label.kind === "label" ? onlyText(label.glob) : undefined;
    if (text === undefined) return end;
    end += `${backwards(text)}.`;
  }
  return end.replace(/\.$/, "\u0000");
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}
