import { evaluate } from "../decide/evaluate.ts";
import { type Action, strictness } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { ToolOverride } from "../model/tool_profile.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Difference, Differences, Uncompared } from "./analysis.ts";
import { Automata } from "./automata/automaton.ts";
import { findCall } from "./automata/search.ts";
import { changedRules, type CommonRules } from "./common_rules.ts";
import { comparesTexts } from "./extent.ts";
import { argumentsOf } from "./languages/argument.ts";
import { instances } from "./languages/instances.ts";
import {
  namesOperands,
  operandCalls,
  parsedTools,
  witnessesOf,
} from "./languages/operand_calls.ts";
import { spellings } from "./languages/spellings.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";
import { pairQueries, type PairQuery } from "./pair_queries.ts";
import { before, IN_TWO_WAYS } from "./reach.ts";
import { type AnalysisOptions, RuleSpace } from "./rule_space.ts";

/**
 * Every group of calls whose verdict is another under a second policy: one for each pair of rules that decide, the loosening
 * ones first, each with a shortest call. Both policies must be compiled for the same workspace. Exact as `Extent` tells:
 * other spellings of commands are tried, not searched, and `unknown` says so.
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
  old: Policy,
  now: Policy,
  options: AnalysisOptions = {},
): Differences {
  const comparison = new Comparison(old, now, options);
  comparison.compare();
  return comparison.finish();
}

/** A comparison may cost as much as so many questions, and one more for so many rules. */
const SHARES = 2;
const MANY = 100;

/** What trying the texts of one rule may cost. */
const MOST_TEXTS = 20_000;

/** Of how many rules and groups the files and URLs are tried in commands. */
const MOST_OPERANDS = 300;

/** What is known of two policies so far. */
class Comparison {
  readonly #old: RuleSpace;
  readonly #new: RuleSpace;
  readonly #groups = new Map<string, Difference>();
  readonly #unknown = new Map<string, Uncompared>();
  readonly #changed: CommonRules;
  /** What all searches together may still cost. */
  #left: number;

  constructor(old: Policy, now: Policy, options: AnalysisOptions) {
    const automata = new Automata();
    this.#old = new RuleSpace(old, { ...options, beside: { policy: now, automata } });
    this.#new = new RuleSpace(now, {
      ...options,
      beside: { policy: old, automata, names: this.#old },
    });
    this.#left = this.#new.budget().left * (SHARES + (old.rules.length + now.rules.length) / MANY);
    const apart = settingsApart(old, now);
    for (const text of apart.unknown) this.#leave({ kind: "open", text });
    // Where commands or tools are read in another way, every rule may say something else.
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
  }

  finish(): Differences {
    const groups = [...this.#groups.values()].sort((a, b) =>
      Number(isLooser(b)) - Number(isLooser(a)) || placeOf(a.now.rule) - placeOf(b.now.rule) ||
      placeOf(a.was.rule) - placeOf(b.was.rule)
    );
    return { groups, unknown: [...this.#unknown.values()] };
  }

  #compareTool(tool: string): void {
    const entries = { old: this.#old.entriesOf(tool), new: this.#new.entriesOf(tool) };
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
    const now = this.#new.callsWith(tool, found);
    this.#tryTexts(old, this.#changed.old);
    this.#tryTexts(now, this.#changed.new);
    for (const query of pairQueries({ old, new: now, changed: this.#changed })) {
      const budget = { left: Math.min(this.#new.budget().left, this.#left) };
      const { left } = budget;
      const search = findCall(query, {
        calls: now,
        budget,
        proves: (call) => this.#add(call, query),
      });
      this.#left -= left - budget.left;
      if (search.kind === "spent") {
        const text = `calls of ${tool}: finding out would take too long`;
        this.#leave({ kind: "open", text });
        return;
      }
    }
  }

  /** Adds the call's group; says whether there is one. */
  #differs(call: ToolCall): boolean {
    const size = this.#groups.size;
    this.#add(call);
    return this.#groups.size > size;
  }

  /** Adds the call's group where its verdicts differ; says whether they do by the rules that were meant. */
  #add(call: ToolCall, meant?: Pick<PairQuery, "was" | "now">): boolean {
    const was = evaluate(this.#old.view, call, this.#old.options);
    const now = evaluate(this.#new.view, call, this.#new.options);
    if (was.action === now.action) return false;
    const key = `${was.rule?.index} ${was.action} ${now.rule?.index} ${now.action}`;
    const known = this.#groups.get(key);
    if (!known || lengthOf(call) < lengthOf(known.witness)) {
      this.#groups.set(key, {
        witness: call,
        was: { action: was.action, rule: was.rule },
        now: { action: now.action, rule: now.rule },
      });
    }
    return was.rule === (meant?.was ?? null) && now.rule === (meant?.now ?? null);
  }

  /** Tries a changed rule's commands in other spellings, and says that these are not all. */
  #tryOthers(rule: CompiledRule, space: RuleSpace): void {
    const plain = instances(rule, space);
    if (plain.length === 0) return;
    for (const call of plain) this.#add(call);
    if (space.shellOf(plain[0]!.tool) !== "parsed") return;
    for (const call of plain.slice(0, 2).flatMap(spellings)) this.#add(call);
    this.#leave({
      kind: "tried",
      text:
        "commands behind wrappers, in quotes and beside others: some were tried, not all compared",
    });
  }

  /** Tries texts of changed rules for a field that others compare as a path, so that only plain paths are compared. */
  #tryTexts(calls: ToolCalls, changed: ReadonlySet<CompiledRule>): void {
    const mixed = calls.entries.filter((entry) => comparesTexts(entry, calls));
    if (mixed.length === 0) return;
    for (const entry of mixed) {
      if (!changed.has(entry.rule)) continue;
      const query = { all: [entry.yes], none: before(entry, calls) };
      const budget = { left: Math.min(MOST_TEXTS, this.#left) };
      findCall(query, { calls, budget, proves: (call) => this.#differs(call) });
      this.#left -= MOST_TEXTS;
    }
    const text = `calls of ${calls.tool}: ${IN_TWO_WAYS}; some were tried, not all compared`;
    this.#leave({ kind: "tried", text });
  }

  /** Tries commands and URLs that name a file or URL of a changed rule, or of a group, and says that these are not all. */
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
    const written = named.some(({ rule }) => rule.parsed.specifier !== undefined);
    if (!written || parsedTools(space).length === 0) return;
    this.#leave({
      kind: "tried",
      text: "files and URLs that commands name: some were tried, not all compared",
    });
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

/** How the settings of two policies differ, as far as verdicts or decisions go. */
interface SettingsApart {
  /** Whether the same rules may say something else. */
  readonly rereads: boolean;
  /** What no call shows. */
  readonly unknown: readonly string[];
}

/** Compares settings. */
function settingsApart(old: Policy, now: Policy): SettingsApart {
  const before = old.settings;
  const after = now.settings;
  const unknown: string[] = [];
  const tell = (what: string, [was, is]: readonly [string, string]) => {
    if (was !== is) unknown.push(`${what}: was ${was}, now ${is}`);
  };
  const modes = [before, after].map(({ defaultMode }) => defaultMode?.value ?? "default");
  tell(
    "the start mode, by which questions are answered",
    modes as unknown as readonly [string, string],
  );
  tell("whether bypass is refused (enforce)", [
    String(before.enforce?.value ?? false),
    String(after.enforce?.value ?? false),
  ]);
  const wrappers = [JSON.stringify(before.wrappers), JSON.stringify(after.wrappers)] as const;
  tell("wrappers", wrappers);
  const rereads = before.shell !== after.shell || wrappers[0] !== wrappers[1] ||
    toolsText(old) !== toolsText(now) ||
    JSON.stringify(old.context) !== JSON.stringify(now.context);
  return { rereads, unknown };
}

function toolsText({ sources }: Policy): string {
  const tools = [...sources.tools].map((
    [name, tool],
  ): readonly [string, ToolOverride] => [name, tool]);
  return JSON.stringify(tools.sort(([a], [b]) => a < b ? -1 : 1));
}
