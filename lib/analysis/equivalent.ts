import { groupBy } from "./group_by.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import { literalGlob, matchGlob, onlyText, printGlob } from "../pattern/glob.ts";
import { commandGlobs } from "../policy/compile/command_matcher.ts";
import { parseSpecifier } from "../pattern/parse_specifier.ts";
import { pathDomain } from "./languages/path_language.ts";
import { urlDomain } from "./languages/url_language.ts";
import type { FieldTest, Specifier, ValueTest } from "../pattern/parse_pattern.ts";
import type { State } from "./automata/state.ts";
import { findWord, type FoundWord } from "./automata/find_words.ts";
import { leastWord } from "./automata/least_word.ts";
import { patternKey, type RuleSpace } from "./rule_space.ts";
import { testLanguage } from "./languages/rule_language.ts";

/** Groups of rules whose patterns fit the same calls, each read as that of an allow rule. */
export class EquivalentRules {
  readonly #space: RuleSpace;
  readonly #paths: State;
  readonly #urls: State;
  readonly #keys = new Map<CompiledRule, string | undefined>();
  #groups: Map<string | undefined, CompiledRule[]> | undefined;

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
    return group.filter((other) => other !== rule && this.#isEquivalent(rule, other));
  }

  #grouped(): Map<string | undefined, CompiledRule[]> {
    return groupBy(this.#space.policy.rules, (rule) => this.#keyOf(rule));
  }

  /** A key of the tools, the arguments and the least word of each: equal for equivalent rules. */
  #keyOf(rule: CompiledRule): string | undefined {
    if (!this.#keys.has(rule)) this.#keys.set(rule, this.#findKey(rule));
    return this.#keys.get(rule);
  }

  #findKey(rule: CompiledRule): string | undefined {
    const tools = this.#toolsOf(rule);
    const tool = tools[0];
    const specifier = tool === undefined ? undefined : this.#specifierOf(rule, tool);
    if (!specifier) return undefined;
    const words = testsOf(specifier).map((test) => {
      if (test.test.kind === "text" || test.test.kind === "command") {
        return [test.key, test.negated, canonical(test.test)];
      }
      const word = this.#leastOf(test, tool!);
      // If the search takes too long, only the same text counts as equivalent.
      return [test.key, test.negated, word === "spent" ? patternKey(rule.parsed) : word ?? null];
    });
    return JSON.stringify([tools, specifier.kind, words]);
  }

  #isEquivalent(a: CompiledRule, b: CompiledRule): boolean {
    return this.#toolsOf(a).every((tool) => {
      const first = this.#specifierOf(a, tool);
      const second = this.#specifierOf(b, tool);
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

  #specifierOf({ parsed }: CompiledRule, tool: string): Specifier | undefined {
    const specifier = parseSpecifier(parsed, this.#space.policy.profiles.get(tool));
    return specifier.ok ? specifier.value : undefined;
  }

  /** The least of a test's texts. */
  #leastOf(tested: Tested, tool: string): FoundWord | undefined {
    return leastWord([this.#textsOf(tested, tool), this.#domainOf(tested)], MAX_STEPS);
  }

  /** The texts of a test within its domain. */
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

/** The canonical text of a glob: of adjacent wildcards each `?` comes before the `*`. */
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

/** The tests of a specifier, by field. */
function testsOf(specifier: Specifier): readonly Tested[] {
  switch (specifier.kind) {
    case "any":
      return [];
    case "class":
      return [{
        key: "",
        negated: false,
        test: { kind: "text", glob: literalGlob(specifier.name) },
      }];
    case "argument":
      return [{ key: "", negated: false, test: specifier.test }];
    case "fields":
      return specifier.fields.map(({ isArgument, key, negated, test }: FieldTest) => ({
        key: isArgument ? "" : key,
        negated,
        test,
      })).sort((a, b) =>
        a.key < b.key ? -1 : a.key > b.key ? 1 : Number(a.negated) - Number(b.negated)
      );
  }
}
