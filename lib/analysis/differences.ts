import { type Action, strictness, type ToolCall } from "../model/call.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Difference, Differences, Uncompared } from "./analysis.ts";
import { Automata } from "./automata/automaton.ts";
import { findCall, findCallOutside } from "./find_call.ts";
import { pairOf } from "./outcome.ts";
import { comparesTexts } from "./precision.ts";
import { argumentsOf } from "./languages/argument.ts";
import {
  filledPatterns,
  namesOperands,
  operandCalls,
  otherSpellings,
  parsedTools,
  witnessesOf,
} from "./trial_calls.ts";
import { namedElsewhere, namesFiles, otherForms } from "./other_forms.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";
import {
  type ChangedRules,
  changedRules,
  pairQueries,
  type PairQuery,
} from "./queries/pair_queries.ts";
import { classOf } from "../pattern/parse_specifier.ts";
import { decidedBefore, IN_TWO_WAYS } from "./reachability.ts";
import { type AnalysisOptions, RuleSpace } from "./rule_space.ts";
import { settingsApart } from "./settings_apart.ts";

/**
 * Finds every group of calls whose verdict differs under a second policy: one for each pair of deciding rules and for each
 * rule that makes calls a safety check, the loosening ones first, each with a shortest call. Both policies must be compiled for the same workspace. Exact as `Precision` says:
 * other spellings of commands are tried, not searched, which `unknown` reports.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "../core.ts";
 * const old = policyFromToml('[permissions]\ndeny = ["Bash:rm *"]\n');
 * const { groups } = differences(old, policyFromToml(""));
 * console.log(groups[0]?.witness.input); // { command: "rm" }
 * ```
 */
export function differences(
  old: CompiledPolicy,
  now: CompiledPolicy,
  options: AnalysisOptions = {},
): Differences {
  const comparison = new Comparison(old, now, options);
  comparison.compare();
  return comparison.finish();
}

/** The budget of a comparison, in budgets of one question: this many, plus one for each `MANY` rules. */
const SHARES = 2;
const MANY = 100;

/** The budget for trying the texts of one rule. */
const MOST_TEXTS = 20_000;

/** The most rules, and the most groups, whose files and URLs are tried in commands. */
const MOST_OPERANDS = 300;

/** The most rules of a policy whose files are tried in other forms. */
const MOST_FORMS = 60;

const OTHER_FORMS: Uncompared = {
  kind: "tried",
  text:
    'files and URLs that commands or other tools name, or through ".." and links: only samples were compared',
};

/** A comparison in progress. */
class Comparison {
  readonly #old: RuleSpace;
  readonly #new: RuleSpace;
  readonly #groups = new Map<string, Difference>();
  readonly #unknown = new Map<string, Uncompared>();
  readonly #changed: ChangedRules;
  /** True if both policies have the same tools. */
  readonly #readsAlike: boolean;
  readonly #onStep: (() => void) | undefined;
  /** The budget that is left for all searches. */
  #left: number;

  constructor(old: CompiledPolicy, now: CompiledPolicy, options: AnalysisOptions) {
    const automata = new Automata();
    this.#onStep = options.onStep;
    this.#old = new RuleSpace(old, { ...options, beside: { policy: now, automata } });
    this.#new = new RuleSpace(now, {
      ...options,
      beside: { policy: old, automata, names: this.#old },
    });
    this.#left = this.#new.budget().left * (SHARES + (old.rules.length + now.rules.length) / MANY);
    const apart = settingsApart(old, now);
    for (const text of apart.unknown) this.#leave({ kind: "open", text });
    // If commands or tools are read differently, every rule may match differently.
    const [tools, others] = [old.profiles.known, now.profiles.known];
    this.#readsAlike = tools.length === others.length &&
      tools.every((each, at) => each === others[at]);
    this.#changed = apart.rereads
      ? { old: new Set(this.#old.rules), new: new Set(this.#new.rules) }
      : changedRules(this.#old.rules, this.#new.rules);
    if (!this.#old.complete) {
      this.#leave({ kind: "open", text: "tools that no rule names: there are too many" });
    }
  }

  compare(): void {
    const { old, new: now } = this.#changed;
    if (old.size === 0 && now.size === 0) return;
    for (const tool of this.#new.names) this.#compareTool(tool);
    for (const rule of old) this.#tryOthers(rule, this.#old);
    for (const rule of now) this.#tryOthers(rule, this.#new);
    this.#tryOperands();
    this.#tryForms();
  }

  finish(): Differences {
    const groups = [...this.#groups.values()].sort((a, b) =>
      Number(isLooser(b)) - Number(isLooser(a)) || placeOf(a.now.rule) - placeOf(b.now.rule) ||
      placeOf(a.was.rule) - placeOf(b.was.rule)
    );
    return { groups, unknown: [...this.#unknown.values()] };
  }

  #compareTool(tool: string): void {
    // Most tools of a long list have no changed rule, and those that have none are not compiled.
    const { old: was, new: is } = this.#changed;
    if (
      !this.#old.rulesFor(tool).some((rule) => was.has(rule)) &&
      !this.#new.rulesFor(tool).some((rule) => is.has(rule))
    ) return;
    const entries = { old: this.#old.toolRulesOf(tool), new: this.#new.toolRulesOf(tool) };
    const changed = entries.old.some(({ rule }) => this.#changed.old.has(rule)) ||
      entries.new.some(({ rule }) => this.#changed.new.has(rule));
    if (!changed) return;
    const options = this.#new.optionsFor(tool);
    const found = argumentsOf([...entries.old, ...entries.new], options);
    if (!found || this.#old.optionsFor(tool).profile.kind !== options.profile.kind) {
      const text = `calls of ${tool}: their arguments are compared in two ways`;
      this.#leave({ kind: "open", text });
      return;
    }
    const old = this.#old.callsWith(tool, found);
    const now = this.#new.callsWith(tool, found, this.#readsAlike ? old : undefined);
    this.#tryTexts(old, this.#changed.old);
    this.#tryTexts(now, this.#changed.new);
    for (const query of pairQueries({ old, new: now, changed: this.#changed })) {
      this.#onStep?.();
      const budget = { left: Math.min(this.#new.budget().left, this.#left) };
      const { left } = budget;
      const search = findCallOutside(query, {
        hidden: query.hidden,
        calls: now,
        budget,
        proves: (call) => this.#add(call, query),
      });
      this.#left -= left - budget.left;
      if (search.kind === "spent") {
        const text = `calls of ${tool}: the comparison would take too long`;
        this.#leave({ kind: "open", text });
        return;
      }
    }
  }

  /** Adds the call's group; true if that is a new one. */
  #differs(call: ToolCall): boolean {
    const size = this.#groups.size;
    this.#add(call);
    return this.#groups.size > size;
  }

  /** Adds the call's group if its verdicts differ; true if they do by the expected rules. */
  #add(call: ToolCall, meant?: Pick<PairQuery, "was" | "now" | "isRaised">): boolean {
    this.#onStep?.();
    const was = this.#old.evaluate(call);
    const now = this.#new.evaluate(call);
    if (was.action === now.action) return false;
    const key = pairOf(was, now);
    const known = this.#groups.get(key);
    if (!known || lengthOf(call) < lengthOf(known.witness)) {
      this.#groups.set(key, {
        witness: call,
        was: { action: was.action, rule: was.rule },
        now: { action: now.action, rule: now.rule },
      });
    }
    const isRaised = was.by === "safety" || now.by === "safety";
    return isRaised === meant?.isRaised && was.rule === meant.was && now.rule === meant.now;
  }

  /** Tries a changed rule's commands in other spellings, and reports that these are not all. */
  #tryOthers(rule: CompiledRule, space: RuleSpace): void {
    const plain = filledPatterns(rule, space);
    if (plain.length === 0) return;
    for (const call of plain) this.#add(call);
    const name = classOf(rule.pattern);
    if (name !== undefined) {
      const text = `commands of the class @${name}: only samples were compared`;
      this.#leave({ kind: "tried", text });
    }
    if (space.shellOf(plain[0]!.tool) !== "parsed") return;
    for (const call of plain.slice(0, 2).flatMap(otherSpellings)) this.#add(call);
    this.#leave({
      kind: "tried",
      text:
        "commands in wrappers, in quotes, next to others and of other tools: only samples were compared",
    });
  }

  /** Tries texts of changed rules for a field that others compare as a path, where only plain paths are compared. */
  #tryTexts(calls: ToolCalls, changed: ReadonlySet<CompiledRule>): void {
    const mixed = calls.rules.filter((analysed) => comparesTexts(analysed, calls));
    if (mixed.length === 0) return;
    for (const analysed of mixed) {
      if (!changed.has(analysed.rule)) continue;
      const query = { all: [analysed.yes], none: decidedBefore(analysed, calls) };
      const budget = { left: Math.min(MOST_TEXTS, this.#left) };
      findCall(query, { calls, budget, proves: (call) => this.#differs(call) });
      this.#left -= MOST_TEXTS;
    }
    const text = `calls of ${calls.tool}: ${IN_TWO_WAYS}; only samples were compared`;
    this.#leave({ kind: "tried", text });
  }

  /** Tries commands and URLs that name a file or URL of a changed rule or group, and reports that these are not all. */
  #tryOperands(): void {
    const spaces = [[this.#old, this.#changed.old], [this.#new, this.#changed.new]] as const;
    const named = spaces.flatMap(([space, rules]) =>
      [...rules].filter((rule) => namesOperands(rule, space)).map((rule) => ({ rule, space }))
    );
    if (named.length === 0) return;
    const groups = [...this.#groups.values()].map(({ witness }) => witness);
    const own = named.slice(0, MOST_OPERANDS).flatMap(({ rule, space }) =>
      witnessesOf(rule, space)
    );
    const found = [...own, ...groups.slice(0, MOST_OPERANDS)];
    const known = new Map(found.map((call) => [JSON.stringify([call.tool, call.input]), call]));
    const space = parsedTools(this.#new).length > 0 ? this.#new : this.#old;
    for (const call of operandCalls([...known.values()], space)) this.#add(call);
    // Operands are only asked about where a written rule denies or asks about some of them, or names a class.
    const isAsked = spaces.some(([space]) =>
      space.rules.some((rule) => classOf(rule.pattern) !== undefined) ||
      space.rules.some((rule) =>
        rule.action !== "allow" && rule.parsed.specifier !== undefined &&
        rule.source.kind !== "builtin" && namesOperands(rule, space)
      )
    );
    if (!isAsked || parsedTools(space).length === 0) return;
    this.#leave(OTHER_FORMS);
  }

  /** Tries the files, URLs and commands of changed rules in other forms and in other tools, and reports that these are not all. */
  #tryForms(): void {
    const spaces = [[this.#old, this.#changed.old], [this.#new, this.#changed.new]] as const;
    for (const [space, rules] of spaces) {
      const some = [...rules].slice(0, MOST_FORMS);
      for (const call of some.flatMap((rule) => otherForms(rule, space))) this.#add(call);
      // A rule that shows in a call of its own tool needs no second one.
      const shown = new Set(
        [...this.#groups.values()].flatMap(({ was, now }) => [was.rule, now.rule]),
      );
      const own = some.filter((rule) => !shown.has(rule))
        .flatMap((rule) => [...witnessesOf(rule, space), ...filledPatterns(rule, space)]);
      for (const call of namedElsewhere(own, space)) this.#add(call);
      if (some.some((rule) => namesFiles(rule, space))) this.#leave(OTHER_FORMS);
    }
  }

  #leave(part: Uncompared): void {
    this.#unknown.set(part.text, part);
  }
}

function isLooser({ was, now }: { was: { action: Action }; now: { action: Action } }): boolean {
  return strictness(now.action) < strictness(was.action);
}

function placeOf(rule: { readonly index: number } | null): number {
  return rule?.index ?? Infinity;
}

function lengthOf(call: ToolCall): number {
  return JSON.stringify(call.input).length;
}
