import type { RuleSet, ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import { RuleIndex } from "../../policy/compile/rule_index.ts";
import { keyOf } from "../../policy/compile/rule_keys.ts";
import { isCounted } from "./trial_budget.ts";
import type { EvalContext } from "../unit_result.ts";

/**
 * The rules of a policy behind the bound of trials: among the candidates for a call, one deny and one ask of each kind stand for all
 * those of a workspace that cannot be evaluated any more. INVARIANT: no call is decided more leniently than by the whole list, so
 * that a rule is stood for only by one that is a candidate wherever it is one itself; what is asked of all rules is asked of all.
 */
class RulesBehindBound implements RuleSet {
  readonly rules: RuleSet["rules"];
  readonly settings: RuleSet["settings"];
  readonly #all: RuleSet;
  readonly #indexes = new Map<string, RuleIndex>();

  constructor(all: RuleSet) {
    this.#all = all;
    this.rules = all.rules;
    this.settings = all.settings;
  }

  candidates(request: Request): readonly ToolRule[] {
    const { name, kind } = request.profile;
    let index = this.#indexes.get(name);
    if (index === undefined) {
      const all = this.#all.toolRules(name);
      const rules = representing(all, (each) => {
        const key = keyOf(each);
        return key === undefined ? kindOf(each) : `${kindOf(each)} ${key.kind} ${key.text}`;
      });
      this.#indexes.set(name, index = new RuleIndex(rules, { kind, among: all.length }));
    }
    return representatives(index.candidates(request));
  }

  toolRules(tool: string): readonly ToolRule[] {
    return this.#all.toolRules(tool);
  }

  writtenRules(tool: string): readonly ToolRule[] {
    return this.#all.writtenRules(tool);
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
  return representing(rules, kindOf);
}

function representing(
  rules: readonly ToolRule[],
  groupOf: (toolRule: ToolRule) => string,
): readonly ToolRule[] {
  const represented = new Set<string>();
  return rules.filter((each) => {
    if (!isCounted(each)) return true;
    const { rule: { action, expiresAt }, specifier } = each;
    // An allow of a class allows nothing untried, and says that commands are looked at by their classes.
    if (action === "allow" && specifier?.kind !== "class") return false;
    const group = groupOf(each);
    if (represented.has(group)) return false;
    if (expiresAt === undefined) represented.add(group);
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
