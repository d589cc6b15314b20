import { groupBy } from "./group_by.ts";
import { expired } from "../decide/first_match.ts";
import { matchGlob, onlyText } from "../pattern/glob.ts";
import type { Pattern } from "../pattern/parse_pattern.ts";
import { canonicalText } from "../pattern/print_pattern.ts";
import {
  type CompiledPolicy,
  type CompiledRule,
  namesTool,
  type RuleSet,
  type ToolRule,
  toolRulesFor,
} from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import type { CommandLine } from "../shell/effect.ts";
import type { ToolCall } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import { evaluateRequest } from "../decide/evaluate.ts";
import { Automata } from "./automata/automaton.ts";
import type { Budget } from "./automata/find_words.ts";
import { type Argument, type ArgumentOptions, argumentsOf } from "./languages/argument.ts";
import { ToolCalls } from "./languages/tool_calls.ts";
import { type ToolNames, toolNames } from "./languages/tool_names.ts";
import { PolicyView, remembered, RuleStore } from "./rule_store.ts";

export interface AnalysisOptions {
  /** The time, in ms since 1970-01-01T00:00Z; as with `evaluate`, without it an expiring allow does not count. */
  readonly now?: number;
  /** The most edges of automata that one search follows; 1,000,000 plus 400 a rule by default. Beyond it the answer is `unknown`. */
  readonly budget?: number;
  /** Called after each step of the work, of which each rule has a few: a sign of life. */
  readonly onStep?: () => void;
}

const BUDGET = 1_000_000;
/** The budget that each rule adds. */
const EACH = 400;

/** So many calls are remembered with what is known of them. */
const LAST_CALLS = 16;

/** Another policy that one is compared with. */
interface Beside {
  readonly policy: CompiledPolicy;
  readonly automata: Automata;
  /** The names of both, where they are known. */
  readonly names?: ToolNames;
}

/** A call that was evaluated. */
interface AskedCall {
  readonly request: Request;
  verdict?: Verdict;
}

/** A policy's rules as languages, tool by tool. Each language is built once. */
export class RuleSpace {
  readonly policy: CompiledPolicy;
  /** The same policy for replaying calls; each rule is compiled once, however many tools there are. */
  readonly view: RuleSet;
  readonly options: AnalysisOptions;
  /** The store of automata. */
  readonly automata: Automata;
  /** The rules that count, in order. */
  readonly rules: readonly CompiledRule[];
  /** Tool names that represent all others. */
  readonly names: readonly string[];
  /** True if no tool is left out. */
  readonly complete: boolean;
  /** True if some allow of a session or command only answers questions. */
  readonly hasAnswers: boolean;
  readonly #tools = new Map<string, ToolCalls | undefined>();
  readonly #store = new RuleStore((tool) => this.#compiled(tool));
  #last: { readonly rule: CompiledRule; readonly view: RuleSet } | undefined;
  /** The last calls. */
  readonly #asked: AskedCall[] = [];
  #next = 0;
  readonly #byTool: RulesByTool;
  /** Those without a specifier. */
  readonly #bare: RulesByTool;
  #alike: ReadonlyMap<string, readonly CompiledRule[]> | undefined;
  readonly #toolsOf = new Map<CompiledRule, readonly string[]>();

  constructor(
    policy: CompiledPolicy,
    options: AnalysisOptions & { readonly beside?: Beside } = {},
  ) {
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
    this.#byTool = byTool(this.rules);
    this.#bare = byTool(this.rules.filter(({ parsed }) => parsed.specifier === undefined));
    this.hasAnswers = this.rules.some(({ action, source: { kind } }) =>
      action === "allow" && (kind === "session" || kind === "command")
    );
  }

  /** The rules with the identical pattern, and those without a specifier that may apply to all its tools, in order. */
  alikeOrBare(rule: CompiledRule): readonly CompiledRule[] {
    this.#alike ??= groupBy(this.rules, ({ parsed }) => patternKey(parsed));
    const alike = this.#alike.get(patternKey(rule.parsed)) ?? [];
    const bare = named(this.#bare, this.toolsOf(rule)[0] ?? "");
    return [...new Set([...alike, ...bare])].sort((a, b) => a.index - b.index);
  }

  /** A new budget for one question. */
  budget(): Budget {
    return { left: this.options.budget ?? BUDGET + EACH * this.rules.length };
  }

  /** True if a rule has expired. */
  isExpired(rule: CompiledRule): boolean {
    return expired(rule, { settings: this.policy.settings, now: this.options.now });
  }

  /** The tool's calls; undefined if one of its arguments is compared in two incompatible ways. */
  calls(tool: string): ToolCalls | undefined {
    if (!this.#tools.has(tool)) this.#tools.set(tool, this.#make(tool));
    return this.#tools.get(tool);
  }

  /** The policy without a rule. */
  without(rule: CompiledRule): RuleSet {
    if (this.#last?.rule !== rule) {
      this.#last = {
        rule,
        view: new PolicyView(this.policy, { store: this.#store, without: rule }),
      };
    }
    return this.#last.view;
  }

  /** The tools whose calls the rule may fit; those that it names come first. */
  toolsOf(rule: CompiledRule): readonly string[] {
    return remembered(this.#toolsOf, rule, () => this.#findTools(rule));
  }

  #findTools(rule: CompiledRule): readonly string[] {
    const { profiles } = this.policy;
    const name = onlyText(rule.parsed.tool);
    const own = name === undefined
      ? this.names.filter((each) => matchGlob(rule.parsed.tool, each))
      : [name];
    const aliases = profiles.known.filter((each) =>
      each.aliasOf !== undefined && namesTool(rule, each) && !own.includes(each.name)
    );
    const named = [...own, ...aliases.map((each) => each.name)];
    if (rule.action === "allow" || rule.parsed.specifier === undefined) return named;
    // A deny or ask for a file applies to every tool of the same class.
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

  /** The way in which the tool's commands are read. */
  shellOf(tool: string): "parsed" | "literal" | "other" {
    const { profiles, settings } = this.policy;
    return profiles.get(tool).shell === "other" ? "other" : settings.shell;
  }

  /** A command line, parsed as the policy parses those of the tool; undefined for a tool that takes none. */
  lineOf(tool: string, text: string): CommandLine | undefined {
    const [key] = this.policy.profiles.get(tool).firstArg ?? [];
    return key === undefined
      ? undefined
      : this.policy.request({ tool, input: { [key]: text } }).parsedLine;
  }

  /** The policy's verdict, as `evaluate` gives it. */
  evaluate(call: ToolCall): Verdict {
    const asked = this.#askedFor(call);
    return asked.verdict ??= this.#evaluated(this.view, asked.request);
  }

  /** The verdict without a rule. */
  evaluateWithout(rule: CompiledRule, call: ToolCall): Verdict {
    return this.#evaluated(this.without(rule), this.#askedFor(call).request);
  }

  /** The call as the policy reads it. */
  requestOf(call: ToolCall): Request {
    return this.#askedFor(call).request;
  }

  #evaluated(rules: RuleSet, request: Request): Verdict {
    return evaluateRequest(rules, request, this.options).verdict;
  }

  /** The facts about a call: most are evaluated with and without a rule, and once more where a finding shows them. */
  #askedFor(call: ToolCall): AskedCall {
    const known = this.#asked.find(({ request }) => request.call === call);
    if (known !== undefined) return known;
    const asked = { request: this.policy.request(call) };
    this.#asked[this.#next++ % LAST_CALLS] = asked;
    return asked;
  }

  #make(tool: string): ToolCalls | undefined {
    const found = argumentsOf(this.toolRulesOf(tool), this.optionsFor(tool));
    return found && this.callsWith(tool, found);
  }

  /** The tool's rules as the policy compiles them, in order. */
  toolRulesOf(tool: string): readonly ToolRule[] {
    return this.#store.toolRules(tool);
  }

  #compiled(tool: string): readonly ToolRule[] {
    const { profiles, context, settings } = this.policy;
    // The policy compiles its own tools too, and keeps them.
    if (this.rules.length === this.policy.rules.length && profiles.has(tool)) {
      return this.policy.toolRules(tool);
    }
    const profile = profiles.get(tool);
    return toolRulesFor(this.rulesFor(tool), { profile, profiles, shell: settings.shell, context });
  }

  /** The tool's calls as words of these arguments; `beside`: those of another policy with the same tools. */
  callsWith(tool: string, found: readonly Argument[], beside?: ToolCalls): ToolCalls {
    const toolRules = this.toolRulesOf(tool);
    return new ToolCalls(tool, {
      ...this.optionsFor(tool),
      toolRules,
      beside: beside?.languages,
      arguments: found,
      cwd: this.policy.cwd,
      mayRunOperands: (program) =>
        this.lineOf(tool, `${program} a`)?.effects[0]?.operands !== undefined,
    });
  }

  /** The options for the arguments of the tool. */
  optionsFor(tool: string): ArgumentOptions {
    const { automata, policy: { profiles, context } } = this;
    return { automata, profile: profiles.get(tool), shell: this.shellOf(tool), context };
  }

  /** The rules that may apply to the tool, in order. */
  rulesFor(tool: string): readonly CompiledRule[] {
    const profile = this.policy.profiles.get(tool);
    const { aliasOf } = profile;
    const rules = new Set([
      ...named(this.#byTool, tool),
      ...(aliasOf === undefined ? [] : this.#byTool.get(aliasOf) ?? []),
    ]);
    if (touchesFiles(profile)) {
      for (const other of this.policy.profiles.known) {
        if (other.class !== profile.class || other.kind !== "path") continue;
        for (const rule of this.#byTool.get(other.name) ?? []) rules.add(rule);
      }
    }
    return [...rules].sort((a, b) => a.index - b.index);
  }
}

/** Rules by their tool's name; those with a glob in its place under `undefined`. */
type RulesByTool = ReadonlyMap<string | undefined, readonly CompiledRule[]>;

function byTool(rules: readonly CompiledRule[]): RulesByTool {
  return groupBy(rules, ({ parsed }) => onlyText(parsed.tool));
}

/** The rules that name the tool, and those with a glob in its place. */
function named(rules: RulesByTool, tool: string): readonly CompiledRule[] {
  return [...(rules.get(tool) ?? []), ...(rules.get(undefined) ?? [])];
}

function touchesFiles(profile: ReturnType<CompiledPolicy["profiles"]["get"]>): boolean {
  if (profile.class !== "edit" && profile.class !== "read") return false;
  return profile.kind === "path" || profile.searches !== undefined;
}

const KEYS = new WeakMap<Pattern, string>();

/** A text that two patterns share only when they are compiled to the same: `Bash:x` and `Bash(x)`, but not `Bash(x:*)`. */
export function patternKey(pattern: Pattern): string {
  const known = KEYS.get(pattern);
  if (known !== undefined) return known;
  const key = canonicalText(pattern);
  KEYS.set(pattern, key);
  return key;
}
