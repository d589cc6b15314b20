import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import { type RuleLanguage, ruleLanguage, type RuleLanguageOptions } from "./rule_language.ts";

/** The rules of one tool, in order, and the way they are read. */
export interface RuleLanguagesOptions extends RuleLanguageOptions {
  readonly toolRules: readonly ToolRule[];
  /** Those of the tool's rules of another policy, whose tools are read in the same way: most rules may be the same. */
  readonly beside?: RuleLanguages | undefined;
}

/** The languages of the rules of one tool, built when they are first asked for: some questions ask for none. */
export class RuleLanguages {
  readonly #options: RuleLanguagesOptions;
  #all: readonly RuleLanguage[] | undefined;
  readonly #alone: RuleLanguage[] = [];

  constructor(options: RuleLanguagesOptions) {
    this.#options = options;
  }

  /** The language of the rule at a place. All are built at once, in order: the words that searches find depend on it. */
  at(place: number): RuleLanguage {
    return (this.#all ??= this.#build())[place]!;
  }

  /** The same language, built without the others where no search needs them: its least word is the same. */
  alone(place: number): RuleLanguage {
    if (this.#all !== undefined) return this.at(place);
    return this.#alone[place] ??= ruleLanguage(this.#options.toolRules[place]!, this.#options);
  }

  #build(): readonly RuleLanguage[] {
    const { toolRules, beside } = this.#options;
    const known = beside === undefined ? undefined : beside.#builtBySame(this.#options);
    return toolRules.map((toolRule) =>
      known?.get(keyOf(toolRule)) ?? ruleLanguage(toolRule, this.#options)
    );
  }

  /** Each language by its rule, if they are built, and rules with these options have the same ones. */
  #builtBySame(options: RuleLanguagesOptions): ReadonlyMap<string, RuleLanguage> | undefined {
    if (this.#all === undefined || !isReadAlike(this.#options, options)) return undefined;
    return new Map(this.#all.map((each, at) => [keyOf(this.#options.toolRules[at]!), each]));
  }
}

function keyOf({ rule: { action, pattern } }: ToolRule): string {
  return `${action} ${pattern}`;
}

/** True if a rule has the same language with either options. */
function isReadAlike(a: RuleLanguagesOptions, b: RuleLanguagesOptions): boolean {
  return a.automata === b.automata && a.arguments === b.arguments && a.profile === b.profile &&
    a.shell === b.shell && a.cwd === b.cwd && a.context.realPath === b.context.realPath &&
    foldersOf(a) === foldersOf(b);
}

function foldersOf({ context: { platform, ignoreCase, workspace, home } }: RuleLanguagesOptions) {
  return JSON.stringify([platform, ignoreCase, workspace, home]);
}
