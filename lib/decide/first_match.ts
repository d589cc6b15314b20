import type { RankedAction } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { Match, TraceStep } from "../model/verdict.ts";
import type { PathReading } from "../pattern/path/path_readings.ts";
import { ANY, beginningsOf, type FewRules, fewRules } from "../policy/compile/rule_keys.ts";
import type { Request } from "../policy/compile/request.ts";
import {
  type CompiledRule,
  ruleForOtherTools,
  type RuleSet,
  type ToolRule,
} from "../policy/compile/compiled_policy.ts";
import { decideByRules, stepEffect } from "./precedence.ts";
import type { TrialBudget } from "./trials/trial_budget.ts";
import { whyNot } from "./why_not.ts";

/** Options of an evaluation. */
export interface EvaluateOptions {
  /** The time now, in ms since 1970-01-01T00:00Z; without it an expiring allow does not count and a deny or ask does. */
  readonly now?: number;
  /** `candidates`: only rules that may fit. `full`: every rule, with why it does not fit, also behind the decision. */
  readonly trace?: "candidates" | "full";
  /** Set if the call's folder is made of a folder that its input names already, as a hook does. */
  readonly isPlaced?: boolean;
}

/** The options of the evaluation of an agent's call. */
export interface CallOptions extends EvaluateOptions {
  /** The reading of paths by the tools of the agent; any change where it is left out. */
  readonly reading?: PathReading;
}

/** The options of the search for the rule that decides a unit. */
export interface SearchOptions extends EvaluateOptions {
  /** The reason why a rule does not count for any unit; undefined for one that does. */
  readonly overlooks?: (step: SearchStep) => string | undefined;
  /** The trials that are left to the call; no bound where it is left out. */
  readonly budget?: TrialBudget;
}

/** A rule as it matches a request. */
export interface SearchStep {
  readonly rule: CompiledRule;
  readonly match: Match;
  readonly request: Request;
  /** True for a rule behind the bound of trials, of which nothing is known. */
  readonly isSpent?: boolean;
}

/** The rules that a unit is decided by. */
export interface RuleList {
  /** The rules that may fit, in order. */
  readonly candidates: readonly ToolRule[];
  /** Every rule, in order, for a full trace; those of the request's tool where it is left out. */
  readonly all?: () => readonly ToolRule[];
  /** True for a rule that does not count for this unit. */
  readonly overlooks?: (rule: CompiledRule) => boolean;
}

/** The outcome of a unit's rules, and what each of them did. */
export interface MatchTrace extends RankedAction {
  /** The rule that decided, or that could not be evaluated; null if none fits. */
  readonly rule: CompiledRule | null;
  /** The same rule as it reads the call's tool; null if none fits. */
  readonly toolRule: ToolRule | null;
  /** Set if a deny or ask could not be evaluated for the number of trials. */
  readonly isSpent?: true;
  /** The effect of every rule that was asked, in order. */
  readonly steps: readonly TraceStep[];
}

/** The options of a search, with the rules that are searched. */
interface ListOptions {
  readonly options: SearchOptions;
  readonly list: RuleList;
}

/** Decides a request by the rules of its tool. */
export function firstMatch(
  rules: RuleSet,
  request: Request,
  options: SearchOptions = {},
): MatchTrace {
  return firstMatchIn(rules, request, { options, list: { candidates: rules.candidates(request) } });
}

/** Decides a request by other rules than those of its tool. */
export function firstMatchIn(rules: RuleSet, request: Request, given: ListOptions): MatchTrace {
  const { options, list } = given;
  if (options.trace === "full") return fullMatch(rules, request, given);
  const { candidates } = list;
  if (candidates.length === 0) return NO_MATCH;
  const search = new CandidateSearch(rules, request, given);
  const { action, by, toolRule } = decideByRules(candidates, search);
  const rule = toolRule === null ? null : toolRule.rule;
  const trace = { action, by, rule, toolRule, steps: settled(search.steps, rule) };
  return search.spent === undefined ? trace : { ...trace, isSpent: true };
}

/** The search through the rules that may fit. */
class CandidateSearch implements Search {
  readonly steps: TraceStep[] = [];
  readonly settings: RuleSet["settings"];
  readonly request: Request;
  readonly options: SearchOptions;
  readonly list: RuleList;
  /** The first rule behind the bound of trials that raised the outcome. */
  spent: CompiledRule | undefined = undefined;
  readonly #few: FewRules | undefined;
  readonly #begins: number;

  constructor({ settings }: RuleSet, request: Request, { options, list }: ListOptions) {
    this.settings = settings;
    this.request = request;
    this.options = options;
    this.list = list;
    const { part } = request;
    this.#few = part === undefined ? undefined : fewRules(list.candidates);
    this.#begins = this.#few === undefined ? ANY : part!.begins ??= beginningsOf(part!);
  }

  effectOf(each: ToolRule, at: number): ReturnType<typeof stepEffect> {
    const { budget } = this.options;
    if (budget === undefined || budget.spend(each, this.request)) {
      const few = this.#few;
      if (few === undefined || (few.begins[at]! & this.#begins) !== 0) {
        return ask(each, "tried", this);
      }
      this.steps.push(few.passing[at]!);
      return "passes";
    }
    // One rule that was not tried stops the call as well as all of them.
    if (this.spent !== undefined) return "passes";
    const effect = ask(each, "untried", this);
    if (effect === "raises") this.spent = each.rule;
    return effect;
  }
}

/** The outcome where no rule is a candidate. */
export const NO_MATCH: MatchTrace = {
  action: "ask",
  by: "rule",
  rule: null,
  toolRule: null,
  steps: [],
};

/** The same with every rule in the trace; it has the verdict of the candidates alone, and so counts no others. */
function fullMatch(rules: RuleSet, request: Request, { options, list }: ListOptions): MatchTrace {
  const all = list.all?.() ?? allToolRules(rules, request);
  const steps: TraceStep[] = [];
  const search: Search = { steps, settings: rules.settings, request, options, list };
  const counted = new Set(list.candidates.map(({ rule }) => rule));
  let spent: CompiledRule | undefined;
  const { action, by, toolRule } = decideByRules(all, {
    effectOf(each) {
      const { rule } = each;
      const isTried = !counted.has(rule) || options.budget?.spend(each, request) !== false;
      const effect = ask(each, isTried ? "tried" : "untried", search);
      if (!isTried && effect === "raises") spent ??= rule;
      return effect;
    },
  });
  for (const each of all.slice(steps.length)) ask(each, "behind", search);
  const rule = toolRule?.rule ?? null;
  const trace = { action, by, rule, toolRule, steps: settled(steps, rule) };
  return spent === undefined ? trace : { ...trace, isSpent: true };
}

/** The rules of a unit that are asked one after another. */
interface Search extends ListOptions, Pick<RuleSet, "settings"> {
  readonly steps: TraceStep[];
  readonly request: Request;
}

/**
 * Asks a rule about a request, and adds what it does to the steps. `untried`: it stands behind the bound of trials, and cannot be
 * evaluated. `behind`: it stands behind the decision, in a full trace.
 */
function ask(
  toolRule: ToolRule,
  place: "tried" | "untried" | "behind",
  { steps, settings, request, options, list }: Search,
): ReturnType<typeof stepEffect> {
  const { rule, readAs } = toolRule;
  const isTried = place !== "untried";
  const found = list.overlooks?.(rule)
    ? "no"
    : isTried
    ? toolRule.matches(request)
    : "indeterminate";
  const overlooked = options.overlooks?.({ rule, match: found, request, isSpent: !isTried });
  const match = overlooked === undefined ? found : "no";
  const isExpired = rule.expiresAt !== undefined && expired(rule, { settings, now: options.now });
  const own = stepEffect(rule, match);
  const told = place === "behind" ? match === "yes" ? "after" : "passes" : own;
  const effect = isExpired ? "expired" : told;
  const why = options.trace === "full" && match !== "yes"
    ? overlooked ?? (isTried ? whyNot(toolRule, request) : TOO_MANY)
    : "";
  steps.push(readAs ? { rule, match, effect, why } : { rule, match, effect, ofOthers: true, why });
  return isExpired ? "passes" : own;
}

/** The reason why a rule behind the bound of trials cannot be evaluated. */
export const TOO_MANY = "the workspace has too many rules for the commands and files of the call";

/** The steps, with the effect that an allow or ask that waited for the end has had. */
function settled(steps: readonly TraceStep[], rule: CompiledRule | null): readonly TraceStep[] {
  if (rule === null) return steps;
  let at = steps.length - 1;
  while (at >= 0 && steps[at]!.rule !== rule) at--;
  const own = steps[at]?.effect;
  if (own === "waits") {
    return steps.map((step) => step.rule === rule ? { ...step, effect: "answers" } : step);
  }
  if (own !== "holds") return steps;
  return steps.map((step) => {
    if (step.rule === rule) return { ...step, effect: "decides" };
    return step.effect === "decides" ? { ...step, effect: "after" } : step;
  });
}

/** Every rule of the policy, in order; one that speaks of other tools does not match. */
export function allToolRules(rules: RuleSet, { profile }: Request): readonly ToolRule[] {
  return amongAll(rules, rules.toolRules(profile.name));
}

/** Every rule of the policy, in order: as these read their tool, or as one that does not match. */
export function amongAll(rules: RuleSet, own: readonly ToolRule[]): readonly ToolRule[] {
  const byRule = new Map(own.map((toolRule) => [toolRule.rule, toolRule]));
  return rules.rules.map((rule) => byRule.get(rule) ?? ruleForOtherTools(rule));
}

/** True if a rule no longer counts; without the time an allow that ends does not, and a deny or ask does. */
export function expired(
  rule: Rule,
  { settings, now }: Pick<RuleSet, "settings"> & { readonly now: number | undefined },
): boolean {
  if (!hasEnd(rule, settings)) return false;
  return now === undefined ? rule.action === "allow" : now >= rule.expiresAt!;
}

/**
 * True if a rule stops counting at its `expiresAt`: an allow always, since the calls that it covered then ask; a deny or ask
 * only with `enforce_expiry`.
 */
export function hasEnd(
  { action, expiresAt }: Pick<Rule, "action" | "expiresAt">,
  { enforceExpiry }: RuleSet["settings"],
): boolean {
  return expiresAt !== undefined && (action === "allow" || enforceExpiry);
}
