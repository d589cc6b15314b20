import type { RuleSet, ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import { RuleIndex } from "../../policy/compile/rule_index.ts";
import { isCounted } from "./trial_budget.ts";
import type { EvalContext } from "../unit_result.ts";

/** The rules of one tool. */
interface OfTool {
  readonly rules: readonly ToolRule[];
  readonly written: readonly ToolRule[];
  readonly index: RuleIndex;
}

/**
 * The rules of a policy behind the bound of trials: of a workspace's rules that cannot be evaluated any more, one deny and one ask
 * of each kind stand for all. INVARIANT: no call is decided more leniently than by the whole list.
 */
class RulesBehindBound implements RuleSet {
  readonly rules: RuleSet["rules"];
  readonly settings: RuleSet["settings"];
  readonly #all: RuleSet;
  readonly #tools = new Map<string, OfTool>();

  constructor(all: RuleSet) {
    this.#all = all;
    this.rules = all.rules;
    this.settings = all.settings;
  }

  candidates(request: Request): readonly ToolRule[] {
    return this.#of(request.profile.name).index.candidates(request);
  }

  toolRules(tool: string): readonly ToolRule[] {
    return this.#of(tool).rules;
  }

  writtenRules(tool: string): readonly ToolRule[] {
    return this.#of(tool).written;
  }

  #of(tool: string): OfTool {
    let known = this.#tools.get(tool);
    if (known === undefined) {
      const rules = representatives(this.#all.toolRules(tool));
      const written = rules.filter(({ rule }) => rule.source.kind !== "builtin");
      this.#tools.set(tool, known = { rules, written, index: new RuleIndex(rules) });
    }
    return known;
  }
}

const known = new WeakMap<RuleSet, RuleSet>();

/** The surroundings of an evaluation that goes on, with the rules that are left; a full trace has all. */
export function withinBound(context: EvalContext): EvalContext {
  const { rules, options: { budget, trace } } = context;
  return budget?.isSpent && trace !== "full"
    ? { ...context, rules: rulesBehindBound(rules) }
    : context;
}

function rulesBehindBound(rules: RuleSet): RuleSet {
  if (rules instanceof RulesBehindBound) return rules;
  let behind = known.get(rules);
  if (behind === undefined) known.set(rules, behind = new RulesBehindBound(rules));
  return behind;
}

/** The rules but for those of a workspace that another one of their kind stands for; that one never ends. */
export function representatives(rules: readonly ToolRule[]): readonly ToolRule[] {
  const represented = new Set<string>();
  return rules.filter((each) => {
    if (!isCounted(each)) return true;
    const { action, expiresAt } = each.rule;
    if (action === "allow") return false;
    const kind = kindOf(each);
    if (represented.has(kind)) return false;
    if (expiresAt === undefined) represented.add(kind);
    return true;
  });
}

const kinds = new WeakMap<ToolRule["rule"], string>();

/** The rules that differ in nothing but the text of their specifiers. */
function kindOf({ rule, specifier }: ToolRule): string {
  let kind = kinds.get(rule);
  if (kind === undefined) {
    const tools = rule.pattern.slice(0, Math.max(0, rule.pattern.search(/[:(]/)));
    kind = `${rule.action} ${specifier?.kind} ${tools}`;
    kinds.set(rule, kind);
  }
  return kind;
}
