import { expired } from "../decide/walk.ts";
import { onlyText } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { patternKey } from "./pattern_key.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { type CompiledRule, type ToolRule, toolRulesFor } from "../policy/compile/rule_table.ts";
import { type Argument, type ArgumentOptions, argumentsOf } from "./languages/argument.ts";
import { Automata } from "./automata/automaton.ts";
import { EntryStore } from "./entry_store.ts";
import type { Budget } from "./automata/find_words.ts";
import { PolicyView } from "./policy_view.ts";
import { ToolCalls } from "./languages/tool_calls.ts";
import { type ToolNames, toolNames } from "./languages/tool_names.ts";

/** How a policy is analysed. */
export interface AnalysisOptions {
  /** The time, in ms since 1970-01-01T00:00Z; as with `evaluate`, without it an expiring allow does not count. */
  readonly now?: number;
  /** How many ways of automata one search may look at; 1,000,000 and 400 for each rule when left out. Beyond it the answer is `unknown`. */
  readonly budget?: number;
}

const BUDGET = 1_000_000;
/** What each rule adds to it. */
const EACH = 400;

/** Another policy that one is compared with. */
interface Beside {
  readonly policy: Policy;
  readonly automata: Automata;
  /** The names of both, where they are known. */
  readonly names?: ToolNames;
}

/** A policy's rules as languages, tool by tool; what was made once is kept. */
export class RuleSpace {
  /** The policy. */
  readonly policy: Policy;
  /** The same policy, as calls are replayed: of it each rule is compiled once, however many tools there are. */
  readonly view: Policy;
  /** How it is analysed. */
  readonly options: AnalysisOptions;
  /** Where states are made. */
  readonly automata: Automata;
  /** The rules that count, in order. */
  readonly rules: readonly CompiledRule[];
  /** Names that stand for all tools. */
  readonly names: readonly string[];
  /** Whether no tool is left out. */
  readonly complete: boolean;
  /** Whether there are allows that only answer questions, as a person gives them while an agent runs. */
  readonly hasAnswers: boolean;
  readonly #tools = new Map<string, ToolCalls | undefined>();
  readonly #store = new EntryStore((tool) => this.#compiled(tool));
  #last: { readonly rule: CompiledRule; readonly view: Policy } | undefined;
  readonly #named = new Map<string, CompiledRule[]>();
  readonly #wild: readonly CompiledRule[];
  readonly #alike = new Map<string, CompiledRule[]>();
  readonly #bare = new Map<string, CompiledRule[]>();
  readonly #bareWild: readonly CompiledRule[];
  readonly #toolsOf = new Map<CompiledRule, readonly string[]>();

  constructor(policy: Policy, options: AnalysisOptions & { readonly beside?: Beside } = {}) {
    const { beside } = options;
    this.policy = policy;
    this.view = new PolicyView(policy, { store: this.#store });
    this.options = options;
    this.automata = beside?.automata ?? new Automata();
    this.rules = policy.rules.filter((rule) => !this.isExpired(rule));
    const all = beside ? [beside.policy, policy] : [policy];
    const { names, complete } = beside?.names ?? toolNames(all, this.automata);
    this.names = names;
    this.complete = complete;
    this.#wild = this.rules.filter(({ parsed }) => onlyText(parsed.tool) === undefined);
    this.#bareWild = this.#wild.filter(({ parsed }) => parsed.specifier === undefined);
    for (const rule of this.rules) {
      add(this.#alike, patternKey(rule.parsed), rule);
      const name = onlyText(rule.parsed.tool);
      if (name === undefined) continue;
      add(this.#named, name, rule);
      if (rule.parsed.specifier === undefined) add(this.#bare, name, rule);
    }
    this.hasAnswers = this.rules.some(({ action, source: { kind } }) =>
      action === "allow" && (kind === "session" || kind === "command")
    );
  }

  /** The rules with the identical pattern, and those without a spec that may speak of all its tools, in order. */
  alikeOrBare(rule: CompiledRule): readonly CompiledRule[] {
    const alike = this.#alike.get(patternKey(rule.parsed)) ?? [];
    const bare = this.#bare.get(this.toolsOf(rule)[0] ?? "") ?? [];
    return [...new Set([...alike, ...bare, ...this.#bareWild])].sort((a, b) => a.index - b.index);
  }

  /** A new budget for one question. */
  budget(): Budget {
    return { left: this.options.budget ?? BUDGET + EACH * this.rules.length };
  }

  /** Whether a rule no longer counts. */
  isExpired(rule: CompiledRule): boolean {
    return expired(rule, { policy: this.policy, now: this.options.now });
  }

  /** The tool's calls; undefined when one of its arguments is compared in ways that do not go together. */
  calls(tool: string): ToolCalls | undefined {
    if (!this.#tools.has(tool)) this.#tools.set(tool, this.#make(tool));
    return this.#tools.get(tool);
  }

  /** The policy without a rule. */
  without(rule: CompiledRule): Policy {
    if (this.#last?.rule !== rule) {
      this.#last = {
        rule,
        view: new PolicyView(this.policy, { store: this.#store, without: rule }),
      };
    }
    return this.#last.view;
  }

  /** The tools whose calls the rule may fit, those that it names first. */
  toolsOf(rule: CompiledRule): readonly string[] {
    let tools = this.#toolsOf.get(rule);
    if (!tools) this.#toolsOf.set(rule, tools = this.#findTools(rule));
    return tools;
  }

  #findTools(rule: CompiledRule): readonly string[] {
    const { profiles } = this.policy;
    const name = onlyText(rule.parsed.tool);
    const named = name === undefined
      ? this.names.filter((each) => matchGlob(rule.parsed.tool, each))
      : [name];
    if (rule.action === "allow" || rule.parsed.specifier === undefined) return named;
    // A deny or ask about a file holds for every tool that does the same to it.
    const classes = new Set(
      profiles.known.flatMap(({ name: known, kind, class: toolClass }) =>
        kind === "path" && matchGlob(rule.parsed.tool, known) ? [toolClass] : []
      ),
    );
    const kin = profiles.known.filter((each) =>
      each.class !== undefined && classes.has(each.class) && touchesFiles(each)
    );
    return [...new Set([...named, ...kin.map((each) => each.name)])];
  }

  /** How the tool's commands are read. */
  shellOf(tool: string): "parsed" | "literal" | "other" {
    return this.policy.profiles.get(tool).shell ?? this.policy.settings.shell;
  }

  #make(tool: string): ToolCalls | undefined {
    const found = argumentsOf(this.entriesOf(tool), this.optionsFor(tool));
    return found && this.callsWith(tool, found);
  }

  /** The tool's rules as the policy reads them, in order. */
  entriesOf(tool: string): readonly ToolRule[] {
    return this.#store.entries(tool);
  }

  #compiled(tool: string): readonly ToolRule[] {
    const { profiles, context, settings } = this.policy;
    const profile = profiles.get(tool);
    return toolRulesFor(this.rulesFor(tool), { profile, profiles, shell: settings.shell, context });
  }

  /** The tool's calls, written as words of these arguments. */
  callsWith(tool: string, found: readonly Argument[]): ToolCalls {
    const { cwd } = this.policy.request({ tool, input: {} });
    const toolRules = this.entriesOf(tool);
    return new ToolCalls(tool, {
      ...this.optionsFor(tool),
      entries: toolRules,
      arguments: found,
      cwd,
    });
  }

  /** How the tool is read. */
  optionsFor(tool: string): ArgumentOptions {
    const { automata, policy: { profiles, context } } = this;
    return { automata, profile: profiles.get(tool), shell: this.shellOf(tool), context };
  }

  /** The rules that may speak of the tool, in order. */
  rulesFor(tool: string): readonly CompiledRule[] {
    const profile = this.policy.profiles.get(tool);
    const rules = new Set([...(this.#named.get(tool) ?? []), ...this.#wild]);
    if (touchesFiles(profile)) {
      for (const other of this.policy.profiles.known) {
        if (other.class !== profile.class || other.kind !== "path") continue;
        for (const rule of this.#named.get(other.name) ?? []) rules.add(rule);
      }
    }
    return [...rules].sort((a, b) => a.index - b.index);
  }
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

function touchesFiles(profile: ReturnType<Policy["profiles"]["get"]>): boolean {
  if (profile.class !== "edit" && profile.class !== "read") return false;
  return profile.kind === "path" || profile.searches !== undefined;
}
