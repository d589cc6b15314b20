import type { CompiledRule } from "../policy/compile/rule_table.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { onlyText, printGlob } from "../pattern/glob.ts";
import { commandGlobs } from "../policy/compile/command_matcher.ts";
import { parseSpecifier } from "../pattern/parse_spec.ts";
import { pathDomain } from "./languages/path_language.ts";
import { urlDomain } from "./languages/url_language.ts";
import type { FieldTest, Specifier, ValueTest } from "../pattern/pattern.ts";
import type { State } from "./automata/state.ts";
import { findWord, type FoundWord } from "./automata/find_words.ts";
import { patternKey } from "./pattern_key.ts";
import { leastWord } from "./automata/least_word.ts";
import type { RuleSpace } from "./rule_space.ts";
import { testLanguage } from "./languages/test_language.ts";

/** Rules by what their patterns fit, all read as those of an allow rule. */
export class SamePatterns {
  readonly #space: RuleSpace;
  readonly #paths: State;
  readonly #urls: State;
  readonly #keys = new Map<CompiledRule, string | undefined>();
  #groups: Map<string, CompiledRule[]> | undefined;

  /** For the rules of a space. */
  constructor(space: RuleSpace) {
    const { automata, policy: { context } } = space;
    this.#space = space;
    this.#paths = pathDomain({ automata, context });
    this.#urls = urlDomain(automata);
  }

  /** Every other rule that fits exactly the same calls, in order. */
  of(rule: CompiledRule): readonly CompiledRule[] {
    const groups = this.#groups ??= this.#grouped();
    const key = this.#keyOf(rule);
    const group = key === undefined ? [] : groups.get(key) ?? [];
    return group.filter((other) => other !== rule && this.#isSame(rule, other));
  }

  #grouped(): Map<string, CompiledRule[]> {
    const groups = new Map<string, CompiledRule[]>();
    for (const rule of this.#space.policy.rules) {
      const key = this.#keyOf(rule);
      if (key === undefined) continue;
      const known = groups.get(key);
      if (known) known.push(rule);
      else groups.set(key, [rule]);
    }
    return groups;
  }

  /** The tools, the arguments, and the first word of each: the same for the same languages. */
  #keyOf(rule: CompiledRule): string | undefined {
    if (!this.#keys.has(rule)) this.#keys.set(rule, this.#findKey(rule));
    return this.#keys.get(rule);
  }

  #findKey(rule: CompiledRule): string | undefined {
    const tools = this.#toolsOf(rule);
    const tool = tools[0];
    const spec = tool === undefined ? undefined : this.#specOf(rule, tool);
    if (!spec) return undefined;
    const words = testsOf(spec).map((test) => {
      if (test.test.kind === "text" || test.test.kind === "command") {
        return [test.key, test.negated, canonical(test.test)];
      }
      const word = this.#leastOf(test, tool!);
      // What takes too long is only the same as what is written the same.
      return [test.key, test.negated, word === "spent" ? patternKey(rule.parsed) : word ?? null];
    });
    return JSON.stringify([tools, spec.kind, words]);
  }

  #isSame(a: CompiledRule, b: CompiledRule): boolean {
    return this.#toolsOf(a).every((tool) => {
      const first = this.#specOf(a, tool);
      const second = this.#specOf(b, tool);
      if (!first || !second) return first === second;
      const left = testsOf(first);
      const right = testsOf(second);
      return left.length === right.length &&
        left.every((test, at) =>
          this.#isEqual(this.#stateOf(test, tool), this.#stateOf(right[at]!, tool))
        );
    });
  }

  #isEqual(a: State, b: State): boolean {
    if (a === b) return true;
    const budget = { left: MAX_PLACES };
    return findWord({ all: [a], none: [b] }, budget) === undefined &&
      findWord({ all: [b], none: [a] }, budget) === undefined;
  }

  #toolsOf(rule: CompiledRule): readonly string[] {
    const { tool } = rule.parsed;
    const name = onlyText(tool);
    return name === undefined ? this.#space.names.filter((each) => matchGlob(tool, each)) : [name];
  }

  #specOf({ parsed }: CompiledRule, tool: string): Specifier | undefined {
    const spec = parseSpecifier(parsed, this.#space.policy.profiles.get(tool));
    return spec.ok ? spec.value : undefined;
  }

  /** The least of a test's texts. */
  #leastOf(tested: Tested, tool: string): FoundWord | undefined {
    return leastWord([this.#textsOf(tested, tool), this.#domainOf(tested)], MAX_STEPS);
  }

  /** The texts of a test that are looked at. */
  #stateOf(tested: Tested, tool: string): State {
    return this.#space.automata.both(this.#textsOf(tested, tool), this.#domainOf(tested));
  }

  /** The texts of a test; a command is any line here. */
  #textsOf({ test }: Tested, tool: string): State {
    const { automata, policy: { context } } = this.#space;
    const shell = this.#space.shellOf(tool) === "other" ? "literal" : this.#space.shellOf(tool);
    return testLanguage(test, { automata, reading: { semantics: "must", shell, context } }).yes;
  }

  #domainOf({ test }: Tested): State {
    switch (test.kind) {
      case "path":
        return this.#paths;
      case "url":
      case "domain":
        return this.#urls;
      default:
        return this.#space.automata.whatever;
    }
  }
}

const MAX_STEPS = 100_000;
const MAX_PLACES = 100_000;

/** The one way to write a glob: of neighbouring wildcards each `?` before the `*`. */
function canonical(test: Extract<ValueTest, { kind: "text" | "command" }>): string {
  const isCommand = test.kind === "command";
  const glob = isCommand && test.anchor === "contains" ? commandGlobs(test)[0]! : test.glob;
  const text = printGlob(glob).replace(
    /(?<!\\)((?:\\\\)*)([*?]{2,})/g,
    (_, escapes: string, wild: string) =>
      escapes + wild.replaceAll("*", "") + (wild.includes("*") ? "*" : ""),
  );
  return `${isCommand && test.anchor === "prefix" ? ":" : ""}${text}`;
}

interface Tested {
  readonly key: string;
  readonly negated: boolean;
  readonly test: ValueTest;
}

/** The tests of a spec, by field. */
function testsOf(specifier: Specifier): readonly Tested[] {
  switch (specifier.kind) {
    case "any":
      return [];
    case "argument":
      return [{ key: "", negated: false, test: specifier.test }];
    case "fields":
      return specifier.fields.map(({ first, key, negated, test }: FieldTest) => ({
        key: first ? "" : key,
        negated,
        test,
      })).sort((a, b) =>
        a.key < b.key ? -1 : a.key > b.key ? 1 : Number(a.negated) - Number(b.negated)
      );
  }
}
